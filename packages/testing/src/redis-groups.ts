import { RedisClient } from 'bun'
import { freePort } from './free-port'
import { tempDir } from './temp-dir'
import { endServer, type Running, startServer } from './test-redis'
import { until } from './until'

/** Several Redis servers that stand in for each other, on this machine. */
export interface RedisGroup {
  /** As REDIS_URL takes it. */
  url: string
  /**
   * From now on the replica of the master that has this key gets nothing more: what the master takes will be lost with it.
   */
  cutReplica(key: string): Promise<void>
  /** Ends the master that has this key at once (SIGKILL). */
  killMaster(key: string): Promise<void>
  /** Lets the replica go on, and resolves when it is the master. */
  promoted(): Promise<void>
  stop(): Promise<void>
}

interface Node {
  port: number
  dir: string
  running: Running
}

async function startNode(lines: readonly string[], isSentinel = false): Promise<Node> {
  const [port, dir] = [await freePort(), tempDir()]
  return { port, dir, running: await startServer(port, dir, { lines, isSentinel }) }
}

/** One command, by a connection of its own. */
async function ask<T = string>({ port }: Pick<Node, 'port'>, command: string, ...args: string[]): Promise<T> {
  const client = new RedisClient(`redis://127.0.0.1:${port}`, { autoReconnect: false })
  try {
    return (await client.send(command, args)) as T
  } finally {
    client.close()
  }
}

const replicationOf = (node: Node): Promise<string> => ask(node, 'INFO', 'replication')
const isLinked = async (replica: Node) => (await replicationOf(replica)).includes('master_link_status:up')
const isMaster = async (node: Node) => (await replicationOf(node)).includes('role:master')

/** Until a master is killed none may be silent for too long: else one that a busy machine keeps waiting would be replaced. */
const veryPatientMs = 3_600_000

/**
 * The part of both groups that is the same: one master that is to fail, and its replica. `notice`: these servers no longer
 * wait so long for a silent master.
 */
function failover(
  members: readonly Node[],
  pairOf: (key: string) => { master: Node; replica: Node },
  notice: (servers: readonly Node[]) => Promise<unknown>,
) {
  const ended = new Set<Node>()
  const cut = new Set<Node>()
  let heir: Node | undefined
  return {
    async cutReplica(key: string) {
      const { master, replica } = pairOf(key)
      cut.add(replica)
      replica.running.server.kill('SIGSTOP')
      await ask(master, 'CLIENT', 'KILL', 'TYPE', 'replica')
    },
    async killMaster(key: string) {
      const { master, replica } = pairOf(key)
      ended.add(master)
      heir = replica
      await endServer(master.running, 'SIGKILL')
      await notice(members.filter((node) => !ended.has(node) && !cut.has(node)))
    },
    async promoted() {
      const replica = heir
      if (!replica) throw new Error('No master was killed')
      replica.running.server.kill('SIGCONT')
      await notice([replica])
      await until(() => isMaster(replica), { what: 'the replica to be the master' })
    },
    async stop() {
      const left = members.filter((node) => !ended.has(node))
      await Promise.all(left.map(({ running }) => endServer(running, 'SIGKILL')))
    },
  }
}

/** How a master is followed; the settings are those of each server. */
interface SentinelTuning {
  /** Replicas besides the one that takes its place. */
  others: number
  /** How long the master may be silent. A replica that was cut off for more than ten times as long before takes no place. */
  downAfterMs: number
  settings: readonly string[]
}

/** A master with a replica, and a Sentinel that watches them. */
export async function sentinelGroup(tuning: Partial<SentinelTuning> = {}): Promise<RedisGroup> {
  const { others: more, downAfterMs, settings } = { others: 0, downAfterMs: 5000, settings: [], ...tuning }
  const own = ['repl-diskless-sync-delay 0', ...settings]
  const master = await startNode(own)
  const following = [...own, `replicaof 127.0.0.1 ${master.port}`]
  const replica = await startNode(following)
  // The Sentinel prefers the replica with the lowest priority.
  const others: Node[] = []
  for (let n = 0; n < more; n++) others.push(await startNode([...following, 'replica-priority 200']))
  for (const each of [replica, ...others]) await until(() => isLinked(each), { what: 'a replica' })
  const name = 'bursar'
  const sentinel = await startNode(
    [
      `sentinel monitor ${name} 127.0.0.1 ${master.port} 1`,
      `sentinel down-after-milliseconds ${name} ${veryPatientMs}`,
      `sentinel failover-timeout ${name} 10000`,
    ],
    true,
  )
  await until(async () => (await ask<unknown[]>(sentinel, 'SENTINEL', 'REPLICAS', name)).length === 1 + more, {
    what: 'the Sentinel to know the replicas',
  })
  return {
    url: `redis+sentinel://127.0.0.1:${sentinel.port}/${name}`,
    ...failover(
      [master, replica, ...others, sentinel],
      () => ({ master, replica }),
      () => ask(sentinel, 'SENTINEL', 'SET', name, 'down-after-milliseconds', String(downAfterMs)),
    ),
  }
}

const slots = 16_384
const masters = 3
const nodeTimeoutMs = 2000

/** A cluster of three masters with a replica each. */
export async function clusterGroup(): Promise<RedisGroup> {
  const settings = [
    'cluster-enabled yes',
    `cluster-node-timeout ${nodeTimeoutMs}`,
    // However long a replica was cut off.
    'cluster-replica-validity-factor 0',
    'repl-diskless-sync-delay 0',
  ]
  const busPorts = new Map<Node, string>()
  const all = await Promise.all(
    Array.from({ length: 2 * masters }, async () => {
      const busPort = String(await freePort())
      const node = await startNode([...settings, `cluster-port ${busPort}`])
      busPorts.set(node, busPort)
      return node
    }),
  )
  const [first] = all as [Node]
  for (const node of all.slice(1))
    await ask(first, 'CLUSTER', 'MEET', '127.0.0.1', String(node.port), busPorts.get(node) ?? '')
  const own = all.slice(0, masters)
  const from = (n: number) => Math.floor((slots * n) / masters)
  for (const [n, node] of own.entries()) {
    const range = Array.from({ length: from(n + 1) - from(n) }, (_, slot) => String(from(n) + slot))
    await ask(node, 'CLUSTER', 'ADDSLOTS', ...range)
  }
  const replicaOf = new Map<Node, Node>()
  for (const [n, master] of own.entries()) {
    const replica = all[masters + n] as Node
    replicaOf.set(master, replica)
    const id = await ask(master, 'CLUSTER', 'MYID')
    await until(async () => (await ask(replica, 'CLUSTER', 'NODES')).includes(id), { what: 'the nodes to meet' })
    await ask(replica, 'CLUSTER', 'REPLICATE', id)
  }
  const knowsAll = async (node: Node) => {
    const about = await ask(node, 'CLUSTER', 'INFO')
    return about.includes('cluster_state:ok') && about.includes(`cluster_known_nodes:${all.length}`)
  }
  for (const node of all) await until(() => knowsAll(node), { what: 'the cluster' })
  for (const replica of replicaOf.values()) await until(() => isLinked(replica), { what: 'a replica' })
  const waitFor = (ms: number) => (nodes: readonly Node[]) =>
    Promise.all(nodes.map((node) => ask(node, 'CONFIG', 'SET', 'cluster-node-timeout', String(ms))))
  await waitFor(veryPatientMs)(all)
  const slotOf = new Map<string, number>()
  const pairOf = (key: string) => {
    const slot = slotOf.get(key) ?? 0
    const master = own.find((_, n) => slot < from(n + 1)) ?? first
    return { master, replica: replicaOf.get(master) as Node }
  }
  const group = failover(all, pairOf, waitFor(nodeTimeoutMs))
  const located =
    (act: (key: string) => Promise<void>) =>
    async (key: string): Promise<void> => {
      const asked = all.find(({ running }) => running.server.exitCode === null) as Node
      slotOf.set(key, Number(await ask(asked, 'CLUSTER', 'KEYSLOT', key)))
      await act(key)
    }
  return {
    ...group,
    url: `redis+cluster://${own.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    cutReplica: located(group.cutReplica),
    killMaster: located(group.killMaster),
  }
}
