// What goes wrong while money moves: instances killed, servers restarted or replaced, a machine stopped for a while.
import { until } from '@bursar/testing'
import type { Deployment, Instance } from './deployment'
import type { Freeze } from './watch'

export interface Plan {
  /** How long there are faults. */
  lastMs: number
  /** Between two kills of an instance; 0 for none. */
  everyMs: number
  restarts: number
  failover: boolean
  freezes: number
  freezeMs: number
}

export interface Faults {
  /** Kills by the name of the process. */
  kills: Record<string, number>
  restarts: string[]
  failovers: number
  freezes: Freeze[]
}

export async function breakThings(deployment: Deployment, plan: Plan, print: (line: string) => void): Promise<Faults> {
  const faults: Faults = { kills: {}, restarts: [], failovers: 0, freezes: [] }
  const begun = performance.now()
  const isOver = () => performance.now() - begun >= plan.lastMs
  const at = async (part: number, what: () => Promise<void>) => {
    await Bun.sleep(Math.max(0, plan.lastMs * part - (performance.now() - begun)))
    await what()
  }
  const restart = async (n: number) => {
    const how = n % 2 === 0 ? 'immediate' : 'fast'
    print(`PostgreSQL is restarted (${how})`)
    await deployment.postgres.restart(how)
    faults.restarts.push(how)
  }
  const failOver = async () => {
    print('The master of Redis is killed')
    await deployment.redis?.killMaster('')
    await deployment.redis?.promoted()
    faults.failovers += 1
    print('The replica of Redis is the master')
  }
  // One after another, so that each has its effect: freezes last longest.
  const times = (count: number, from: number) => Array.from({ length: count }, (_, n) => (n + from) / count)
  await Promise.all([
    killing(deployment, plan, faults, isOver),
    ...times(plan.restarts, 0.6).map((part, n) => at(part, () => restart(n))),
    ...(plan.failover ? [at(0.45, failOver)] : []),
    ...times(plan.freezes, 0.15).map((part, n) => at(part, () => freeze(deployment, plan, n, faults, print))),
  ])
  return faults
}

/** At random, of the instances that answer. */
async function killing(
  deployment: Deployment,
  { everyMs }: Plan,
  { kills }: Faults,
  isOver: () => boolean,
): Promise<void> {
  if (everyMs === 0) return
  for (;;) {
    await Bun.sleep(everyMs)
    if (isOver()) return
    const among = deployment.instances.filter(({ isReady, machine }) => isReady && !machine.isFrozen)
    const victim = among[Math.floor(Math.random() * among.length)] as Instance | undefined
    if (!victim) continue
    kills[victim.name] = (kills[victim.name] ?? 0) + 1
    await deployment.kill(victim)
  }
}

async function freeze(
  deployment: Deployment,
  { freezeMs }: Plan,
  n: number,
  { freezes }: Faults,
  print: (line: string) => void,
): Promise<void> {
  const machine = deployment.machines[n % deployment.machines.length]
  if (!machine) return
  const { user } = machine
  await atWork(deployment, user)
  const from = new Date()
  deployment.freeze(machine)
  print(`${user} is stopped`)
  await Bun.sleep(freezeMs)
  const upTo = new Date()
  deployment.thaw(machine)
  print(`${user} goes on`)
  freezes.push({ user, from, upTo })
}

/** Resolves when one of its transactions has read a lease: then it is in the middle of work that it does alone. */
async function atWork({ postgres }: Deployment, user: string): Promise<void> {
  const client = new Bun.SQL(postgres.url, { max: 1 })
  const isAtWork = async () => {
    const rows = await client.unsafe(
      "SELECT 1 FROM pg_stat_activity WHERE usename = $1 AND state LIKE '%transaction%' AND query LIKE '%\"leases\"%'",
      [user],
    )
    return rows.length > 0
  }
  await until(isAtWork, { timeoutMs: 20_000, what: 'work that is done alone' }).catch(() => {})
  await client.close()
}
