// Several machines with an instance of each service, on one PostgreSQL, one Redis and one node of the test's own. Each
// instance can be killed, a machine frozen, the servers restarted.
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { freePort, tempDir, testRedis, until } from '@bursar/testing'
import { type PostgresServer, postgresPrograms, startPostgres } from '@bursar/testing/postgres'
import { type RedisGroup, sentinelGroup } from '@bursar/testing/redis-groups'
import { withAllocator } from '../../../scripts/stack/allocator'
import { createSeedFile, seedFileName } from '../../../services/wallet/src/keys/seed-file'
import { lineOfServices } from '../../commands'
import { chainId, type Node, startNode } from '../money/node'

/** A process with services of a machine. */
export interface Instance {
  readonly name: string
  readonly services: readonly ServiceName[]
  readonly machine: Machine
  /** Null while it is ended. */
  process: Bun.Subprocess | null
  /** Whether all its services have answered since its start. */
  isReady: boolean
}

/** Its instances write as a user of their own, so that the database can tell who wrote what. */
export interface Machine {
  readonly user: string
  readonly env: Readonly<Record<string, string>>
  isFrozen: boolean
}

export interface Deployment {
  readonly postgres: PostgresServer
  /** Null where its master cannot be killed. */
  readonly redis: Pick<RedisGroup, 'killMaster' | 'promoted'> | null
  readonly node: Node
  readonly machines: readonly Machine[]
  readonly instances: readonly Instance[]
  /** The addresses of the gateways. */
  readonly gateways: readonly string[]
  /** How often a process ended unasked: by its name and code. */
  readonly ends: Readonly<Record<string, number>>
  /** Ends it at once (SIGKILL), and starts it again, without waiting until it answers. */
  kill(instance: Instance): Promise<void>
  /** Resolves once all instances answer. */
  ready(timeoutMs: number): Promise<void>
  freeze(machine: Machine): void
  thaw(machine: Machine): void
  close(): Promise<void>
}

export interface Size {
  machines: number
  gateways: number
  /** With a Sentinel and a replica, so that the master of Redis can be killed. */
  hasReplica: boolean
  /** Services with a process of their own, while the others of a machine share one. Null: each has its own. */
  apart: readonly ServiceName[] | null
  /** A folder for the logs of the instances; else they go nowhere. */
  logs?: string | undefined
}

export const admin = { email: 'admin@bank.example', password: 'a long sentence for the admin' }
const root = join(import.meta.dir, '../../..')
const addressOf = (port: number) => `http://127.0.0.1:${port}`
const setting = (name: ServiceName, what: 'PORT' | 'URL') => `${services[name].slug.toUpperCase()}_${what}`

export async function startDeployment(size: Size): Promise<Deployment> {
  const programs = postgresPrograms()
  if (!programs)
    throw new Error('PostgreSQL’s programs are missing: `apt-get install postgresql` on Debian and Ubuntu.')
  const [postgres, redis, node] = await Promise.all([
    // What was answered must outlive the server; the machine it runs on goes on.
    startPostgres(programs, {
      synchronous_commit: 'on',
      max_connections: String(mostConnections),
      // As servers have it: plans that were made for empty tables scan them, and whoever scans a table meets all who write to it.
      autovacuum: 'on',
      autovacuum_naptime: '10s',
    }),
    size.hasReplica ? sentinelGroup(asDocumented) : testRedis(),
    startNode(500),
  ])
  const machines = await machinesOf(size, { postgres, redis: redis.url, node })
  const { instances, ends, start, end, endAll } = supervised(machines, size)
  // Whatever ends this process: nothing stays behind.
  const endAtOnce = () => {
    for (const each of instances) each.process?.kill('SIGKILL')
    process.kill(postgres.pid, 'SIGQUIT')
  }
  process.on('exit', endAtOnce)
  const own = (machine: Machine) => instances.filter((each) => each.machine === machine)
  return {
    postgres,
    redis: 'killMaster' in redis ? redis : null,
    node,
    machines,
    instances,
    gateways: machines.slice(0, size.gateways).map((machine) => urlOf('gateway', machine)),
    ends,
    async kill(instance) {
      await end(instance)
      start(instance)
    },
    async ready(timeoutMs) {
      const waiting = () =>
        instances.filter(({ isReady }) => !isReady).map(({ name, machine: { user } }) => `${name} ${user}`)
      await until(() => waiting().length === 0, { timeoutMs, what: 'all instances' }).catch((error: Error) => {
        throw new Error(`${error.message}: ${waiting().join(', ')}`)
      })
    },
    freeze(machine) {
      machine.isFrozen = true
      for (const each of own(machine)) each.process?.kill('SIGSTOP')
    },
    thaw(machine) {
      for (const each of own(machine)) each.process?.kill('SIGCONT')
      machine.isFrozen = false
    },
    async close() {
      process.off('exit', endAtOnce)
      await endAll()
      await Promise.all([postgres.stop(), redis.stop(), node.stop()])
    },
  }
}

/** As docs/several-machines.md has it: a master that nobody follows any more takes no writes, which would be lost with it. */
const asDocumented = {
  others: 1,
  downAfterMs: 10_000,
  settings: ['min-replicas-to-write 1', 'min-replicas-max-lag 5'],
}

/** What the server has room for. */
export const mostConnections = 200

const restMs = 500

/** The processes of all machines, started. One that ends unasked is started again, as a supervisor does. */
function supervised(machines: readonly Machine[], size: Size) {
  const ends: Record<string, number> = {}
  let isClosed = false
  const instances = machines.flatMap((machine, i) =>
    unitsOf(i, size).map(([name, own]): Instance => ({ name, services: own, machine, process: null, isReady: false })),
  )

  function start(instance: Instance): void {
    const child = spawn(instance, size.logs)
    instance.process = child
    void noteReady(instance, child)
    void child.exited.then(async (code) => {
      if (instance.process !== child) return
      Object.assign(instance, { process: null, isReady: false })
      ends[`${instance.name} ${code}`] = (ends[`${instance.name} ${code}`] ?? 0) + 1
      await Bun.sleep(restMs)
      if (instance.process === null && !isClosed) start(instance)
    })
  }
  async function end(instance: Instance): Promise<void> {
    const child = instance.process
    Object.assign(instance, { process: null, isReady: false })
    child?.kill('SIGKILL')
    await child?.exited
  }
  for (const each of instances) start(each)
  return {
    instances,
    ends,
    start,
    end,
    async endAll() {
      isClosed = true
      await Promise.all(instances.map(end))
    },
  }
}

async function noteReady(instance: Instance, child: Bun.Subprocess): Promise<void> {
  const urls = instance.services.map((name) => `${urlOf(name, instance.machine)}/health/ready`)
  while (instance.process === child && !instance.isReady) {
    const looks = urls.map((url) => fetch(url, { signal: AbortSignal.timeout(5000) }).then(({ ok }) => ok))
    const isReady = await Promise.all(looks).then(
      (each) => each.every(Boolean),
      () => false,
    )
    if (instance.process === child) instance.isReady = isReady
    if (!isReady) await Bun.sleep(200)
  }
}

function spawn({ name, services: own, machine }: Instance, logs: string | undefined): Bun.Subprocess {
  const log = logs === undefined ? null : openSync(join(logs, `${name.replaceAll(' ', '-')}-${machine.user}.log`), 'a')
  const output = log ?? ('ignore' as const)
  const child = Bun.spawn(lineOfServices(...own), {
    cwd: root,
    env: withAllocator(machine.env),
    stdin: 'ignore',
    stdout: output,
    stderr: output,
  })
  if (log !== null) closeSync(log)
  return child
}

const urlOf = (name: ServiceName, { env }: Machine): string => addressOf(Number(env[setting(name, 'PORT')]))

/** The processes of a machine: gateways stand on the first machines alone. */
function unitsOf(machine: number, { gateways, apart }: Size): [string, ServiceName[]][] {
  const here = serviceNames.filter((name) => name !== 'gateway' || machine < gateways)
  const single = here.filter((name) => apart === null || apart.includes(name))
  const rest = here.filter((name) => !single.includes(name))
  const units = single.map((name): [string, ServiceName[]] => [name, [name]])
  return rest.length > 0 ? [...units, ['the others', rest]] : units
}

interface Servers {
  postgres: PostgresServer
  redis: string
  node: Node
}

/** The settings of each machine: ports, data folder and database user are its own. */
async function machinesOf({ machines, gateways }: Size, { postgres, redis, node }: Servers): Promise<Machine[]> {
  const folder = tempDir()
  const users = Array.from({ length: machines }, (_, i) => `machine_${i + 1}`)
  const client = new Bun.SQL(postgres.url, { max: 1 })
  for (const user of users) await client.unsafe(`CREATE ROLE ${user} LOGIN SUPERUSER`)
  await client.close()
  const ports = new Map<ServiceName, number[]>()
  for (const name of serviceNames) {
    const own: number[] = []
    for (let i = 0; i < (name === 'gateway' ? gateways : machines); i++) own.push(await freePort())
    ports.set(name, own)
  }
  const common: Record<string, string> = {
    ...(await secrets(folder)),
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
    REDIS_URL: redis,
    MAIL_DIR: join(folder, 'mail'),
    ARCHIVE_DIR: 'none',
    AUTHORIZATION: 'documented',
    INTERNAL_AUTH: 'required',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_LOGIN: '100000',
    SCREENING: 'sanctions',
    SANCTIONS_SANDBOX: 'on',
    NETWORK_POLL_MS: '500',
    ETHEREUM_RPC_URLS: node.url,
    ETHEREUM_CHAIN_ID: String(chainId),
    ETHEREUM_CONFIRMATIONS: '3',
  }
  for (const name of serviceNames) common[setting(name, 'URL')] = (ports.get(name) ?? []).map(addressOf).join(',')
  return users.map((user, i) => {
    const dataDir = join(folder, user)
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const own = Object.fromEntries(
      serviceNames.map((name) => [setting(name, 'PORT'), String(ports.get(name)?.[i] ?? 0)]),
    )
    const url = postgres.url.replace('//bursar@', `//${user}@`)
    return { user, env: { ...common, ...own, DATA_DIR: dataDir, DATABASE_URL: url }, isFrozen: false }
  })
}

/** The same on all machines: none of them makes a key. */
async function secrets(folder: string): Promise<Record<string, string>> {
  const passphrase = 'correct horse battery'
  await createSeedFile(folder, passphrase, { now: new Date(), cost: 2 ** 4 })
  const names = [
    'INTERNAL_SECRET',
    ...['MAIN', 'PARTICIPANT', 'QUOTE', 'WEBHOOK', 'IDENTITY'].map((name) => `${name}_SECRET_KEY`),
  ]
  return {
    ...Object.fromEntries(names.map((name, i) => [name, Buffer.alloc(32, i + 7).toString('base64')])),
    WALLET_SEED: await Bun.file(join(folder, seedFileName)).text(),
    WALLET_PASSPHRASE: passphrase,
  }
}
