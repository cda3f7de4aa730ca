/**
 * `bun test/faults/instances.ts`: several machines with an instance of each service on one PostgreSQL and one Redis, under work
 * and faults, and a recount of what callers were answered. See --help.
 */
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runCommand } from '../commands'
import type { Callers } from './instances/callers'
import { mostConnections, startDeployment } from './instances/deployment'
import { breakThings, type Faults } from './instances/faults'
import { type Knowledge, moveMoney, prepare } from './instances/load'
import { recountChains, recountEvents, recountLedger, unsettled } from './instances/recount'
import { afterFreeze, countConnections, longestRest, startNoting } from './instances/watch'

const help = `Usage: bun test/faults/instances.ts [--seconds N] [--every N] [--instances N] [--gateways N] …

Starts all services several times on an empty database, moves money through the gateways, and meanwhile kills instances,
restarts PostgreSQL, lets Redis fail over and stops a machine for a while. Then everything settles, and is counted again:
what was answered exists once, the chains paid each withdrawal once, balances add up, audit and reconcile are clean, each
event was acted on once. Ends with 1 when something is wrong. Needs PostgreSQL’s programs (Debian’s postgresql) and Redis.

  --seconds N         how long there is work (30)
  --every N           seconds between two kills of an instance (5; 0 for none)
  --instances N       of each service, each on a machine of its own (2)
  --gateways N        (2)
  --restarts N        of PostgreSQL, in turn as a crash and in good order (0)
  --failover          kills the master of Redis; a Sentinel makes its replica the master
  --freezes N         a machine is stopped so many times (0)
  --freeze-seconds N  for so long (60)
  --lanes N           how much is done at a time (8)
  --settle N          seconds in which all must be settled (60)
  --together          services that hold no money share a process on each machine: for small machines
  --logs FOLDER       keeps the logs of the instances there
  --help              this text
`
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    every: { type: 'string', default: '5' },
    instances: { type: 'string', default: '2' },
    gateways: { type: 'string', default: '2' },
    restarts: { type: 'string', default: '0' },
    failover: { type: 'boolean', default: false },
    freezes: { type: 'string', default: '0' },
    'freeze-seconds': { type: 'string', default: '60' },
    lanes: { type: 'string', default: '8' },
    settle: { type: 'string', default: '60' },
    together: { type: 'boolean', default: false },
    logs: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  process.stdout.write(help)
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
const begun = performance.now()
const secondsSince = (from: number) => (performance.now() - from) / 1000
const print = (line: string) => console.log(`${secondsSince(begun).toFixed(1).padStart(7)} s  ${line}`)
/** Their own processes with --together: what moves money. */
const money = ['core-ledger', 'wallet', 'blockchain', 'sanctions', 'notification', 'gateway'] as const
/** Longer than that nothing is waited for. */
const longestSettlingMs = 600_000

if (values.logs) mkdirSync(values.logs, { recursive: true })
const deployment = await startDeployment({
  machines: Number(values.instances),
  gateways: Number(values.gateways),
  hasReplica: values.failover,
  apart: values.together ? money : null,
  logs: values.logs,
})
try {
  const problems = await run()
  for (const problem of problems.slice(0, 50)) console.log(`WRONG ${problem}`)
  print(`${problems.length} wrong`)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  await deployment.close()
}
process.exit()

async function run(): Promise<string[]> {
  await deployment.ready(300_000)
  const { instances, machines, gateways, postgres } = deployment
  print(
    `${instances.length} processes on ${machines.length} machines are ready, on a database that was empty; ` +
      `${gateways.length} gateways`,
  )
  await startNoting(deployment)
  const connections = countConnections(deployment)
  const { callers, known } = await prepare(deployment, 6)
  print(`${known.accounts.length} accounts have money`)
  const client = new Bun.SQL(postgres.url, { max: 1 })
  // A recount that the tables do not fit ends now, and not after the work.
  await Promise.all([unsettled(client, known), recountEvents(client), longestRest(client)])
  const faults = await work(callers, known)
  const { open, words } = await settle(client, known)
  const problems = [...known.problems, ...open]
  problems.push(...(await recountLedger(client, callers, known)))
  const chains = await recountChains(client, deployment)
  const events = await recountEvents(client)
  problems.push(...chains.problems, ...events.problems, ...(await askFrozen(client, faults)))
  const rest = await longestRest(client)
  await client.close()
  await connections.stop()
  if (connections.most() >= mostConnections) problems.push(`There were ${connections.most()} connections`)
  problems.push(...(await runChecks()))
  const of = (type: string) => [...known.ordered.values()].filter((one) => one.type === type).length
  print(
    `${of('WITHDRAWAL')} withdrawals, ${of('TRANSFER')} transfers and ${known.paidIn.size} deposits were answered, ` +
      `${known.unanswered.length} orders never; ${chains.paid} withdrawals were paid once on their chain; ${events.events} events`,
  )
  printFaults(faults)
  print(
    `${words}; work of one instance rested ${rest.seconds.toFixed(1)} s at most (${rest.what}); ${connections.most()} ` +
      `connections at most; a caller waited ${(callers.longestMs() / 1000).toFixed(1)} s at most; sent again: ` +
      JSON.stringify(callers.again),
  )
  return problems
}

/** Work and faults, at the same time. */
async function work(callers: Callers, known: Knowledge): Promise<Faults> {
  const lastMs = Number(values.seconds) * 1000
  const end = performance.now() + lastMs
  const isOver = () => performance.now() >= end
  const say = () => print(`${known.ordered.size} orders and ${known.paidIn.size} deposits answered`)
  const progress = setInterval(say, 60_000)
  const plan = {
    lastMs,
    everyMs: Number(values.every) * 1000,
    restarts: Number(values.restarts),
    failover: values.failover,
    freezes: Number(values.freezes),
    freezeMs: Number(values['freeze-seconds']) * 1000,
  }
  const [faults] = await Promise.all([
    breakThings(deployment, plan, print),
    ...Array.from({ length: Number(values.lanes) }, () => moveMoney(deployment, callers, known, isOver)),
  ])
  clearInterval(progress)
  print('Faults and work are over')
  return faults
}

/** What is still open after the time for it, and how long all took. */
async function settle(client: Bun.SQL, known: Knowledge): Promise<{ open: string[]; words: string }> {
  const over = performance.now()
  await deployment.ready(300_000)
  const readySeconds = secondsSince(over)
  let open = await unsettled(client, known)
  while (open.length > 0 && performance.now() - over < longestSettlingMs) {
    await Bun.sleep(500)
    open = await unsettled(client, known)
  }
  const seconds = secondsSince(over)
  if (seconds > Number(values.settle)) open.push(`Settled after ${seconds.toFixed(1)} s, not ${values.settle} s`)
  const words = `all instances ready ${readySeconds.toFixed(1)} s after the end of work, all settled after ${seconds.toFixed(1)} s`
  print(words)
  return { open, words }
}

async function askFrozen(client: Bun.SQL, { freezes }: Faults): Promise<string[]> {
  const problems: string[] = []
  for (const each of freezes) {
    const { lost, longestRestSeconds, wrong } = await afterFreeze(client, each)
    print(
      `${each.user} lost ${lost} leases while it was stopped, the last one after ${longestRestSeconds.toFixed(1)} s; it wrote ` +
        `under ${wrong.length} of them afterwards`,
    )
    problems.push(...wrong)
  }
  return problems
}

/** The project's own checks, by the settings of a machine. */
async function runChecks(): Promise<string[]> {
  const problems: string[] = []
  const env = deployment.machines[0]?.env ?? {}
  for (const name of ['audit', 'reconcile']) {
    const { code, said } = await runCommand(name, ['--data-dir', env.DATA_DIR ?? ''], { env: { ...env } })
    print(`${name}: ${code === 0 ? 'clean' : 'NOT CLEAN'}\n${said.trim()}`)
    if (code !== 0) problems.push(`${name}: ${said}`)
  }
  return problems
}

function printFaults({ kills, restarts, failovers, freezes }: Faults): void {
  const all = Object.values(kills).reduce((sum, n) => sum + n, 0)
  print(
    `${all} instances killed (${JSON.stringify(kills)}), PostgreSQL restarted ${restarts.length} times ` +
      `(${restarts.join(', ')}), Redis failed over ${failovers} times, ${freezes.length} machines stopped for ` +
      `${values['freeze-seconds']} s; ended unasked: ${JSON.stringify(deployment.ends)}`,
  )
}
