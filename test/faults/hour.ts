// An hour of faults: `bun test/faults/hour.ts [minutes]`. See --help.
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { killAll } from '../bench/processes'
import {
  checkBalances,
  checkPayments,
  checkReplicas,
  checkTracker,
  checkTransactions,
  contradictions,
  type Found,
} from './hour/check'
import { newClient } from './hour/client'
import { breakGround, breakProcesses } from './hour/faults'
import { newJournal } from './hour/journal'
import { network, runClient, type Work } from './hour/load'
import { newHolder, runOwner, wakeHalf } from './hour/owners'
import { seeded } from './hour/random'
import { settle } from './hour/settle'
import { faketime, names, type Stack, startStack } from './hour/stack'
import { type LyingWallet, lyingWallet } from './hour/wallet'

const help = `Usage: bun test/faults/hour.ts [minutes] [--seed N] [--clients N] [--pause MS] [--holders N]

Runs the real customer, account, core ledger and log tracker services under load for so many minutes (60), while they
are killed, Redis goes away for up to a minute, the disk fills up, the ledger's clock jumps by a year and the wallet lies.
Then everything settles, and money, records, replicas and events are compared with what the clients know: nothing lost,
nothing made. Prints a line a minute and a summary in JSON; ends with 1 when a promise is broken.

  --seed N      of all that is random (printed; now's time)
  --clients N   at a time (24)
  --pause MS    of a client between two transactions (400)
  --holders N   customers with an account at the start (150)

It mounts a tmpfs (root), needs redis-server, and for the clock Debian's faketime; without that the clock stays right.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    clients: { type: 'string', default: '24' },
    pause: { type: 'string', default: '400' },
    holders: { type: 'string', default: '150' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}

const minutes = Number(positionals[0] ?? 60)
const seed = Number(values.seed)
const begun = performance.now()
const log = (line: string) =>
  console.log(`${((performance.now() - begun) / 60_000).toFixed(1).padStart(5)} min  ${line}`)

async function run(): Promise<boolean> {
  const wallet = lyingWallet(seeded(seed + 1))
  const stack = await startStack(wallet.url)
  log(`seed ${seed}, ${minutes} min, logs in ${stack.logs}, data in ${stack.dataDir}`)
  if (!existsSync(faketime)) log('There is no faketime: the clock stays right')
  try {
    const work = await begin(stack, wallet)
    const faults = await breakThings(work)
    const left = await calmDown(work)
    return report(work, faults, await checkAll(work, left))
  } finally {
    await stack.close()
    await wallet.stop()
  }
}

/** Starts everything, with an asset and the first customers. */
async function begin(stack: Stack, wallet: LyingWallet): Promise<Work> {
  await Promise.all(names.map((name) => stack.start(name)))
  const journal = newJournal()
  const client = newClient(journal)
  const asset = { code: 'USDX', name: 'A dollar', decimalPlaces: 6, address: 'native', network }
  const { body } = await client.send('POST', stack.url('core-ledger'), '/assets', asset, 'asset')
  const work: Work = {
    stack,
    wallet,
    client,
    journal,
    random: seeded(seed + 2),
    assetId: String(body.id),
    pauseMs: Number(values.pause),
    isOver: () => false,
  }
  for (let i = 0; i < Number(values.holders); i++) await newHolder(work, i % 3 === 2)
  return work
}

/** Runs the load and the faults for the given time. */
async function breakThings(work: Work): Promise<object> {
  const { stack, journal, client } = work
  let isOver = false
  work.isOver = () => isOver
  const counts: Record<string, number> = {}
  const faults = { stack, counts, log, isOver: () => isOver }
  const started = performance.now()
  const callers = [
    ...Array.from({ length: Number(values.clients) }, () => runClient(work)),
    runOwner(work),
    runOwner(work),
  ]
  const breaking = [
    breakProcesses({ ...faults, random: seeded(seed + 3) }),
    breakGround({ ...faults, random: seeded(seed + 4) }),
  ]
  const progress = setInterval(() => {
    const longest = `longest wait ${(client.longestMs() / 1000).toFixed(1)} s`
    log(`${journal.transactions.size} transactions, ${journal.broken.length} promises broken, ${longest}`)
  }, 60_000)
  await Promise.race([Bun.sleep(minutes * 60_000), ...breaking])
  isOver = true
  await Promise.all(breaking)
  const lasted = Number(((performance.now() - started) / 60_000).toFixed(2))
  clearInterval(progress)
  log('The faults are over')
  await Promise.all(callers)
  log('The load is over')
  return { seed, minutes: lasted, faults: counts }
}

/** Ends all faults, wakes what waits, and waits until nothing is left to do. */
async function calmDown(work: Work): Promise<Record<string, number>> {
  const { stack, wallet } = work
  await Promise.all(names.map((name) => stack.start(name)))
  await wallet.calm()
  await wakeHalf(work)
  // Work waits for up to five minutes: one more jump of the clock makes it due.
  if (existsSync(faketime)) {
    await stack.stop('core-ledger')
    await stack.start('core-ledger', '+10m')
    await settle(stack, 60_000, log)
    await stack.stop('core-ledger')
    await stack.start('core-ledger')
  }
  return await settle(stack, 360_000, log)
}

/** The checks, with findings and counts. */
async function checkAll({ stack, client, journal, wallet }: Work, left: Record<string, number>) {
  const transactions = await checkTransactions(stack, client, journal, wallet)
  const { status } = transactions
  const balances = await checkBalances(stack, client, journal, status)
  for (const name of names) await stack.stop(name)
  const undone = Object.entries(left).flatMap(([what, n]) => (n > 0 && what !== 'work' ? [`${n} left: ${what}`] : []))
  const found: Record<string, Found> = {
    load: { broken: journal.broken, counts: journal.counts },
    settling: { broken: [...undone, ...contradictions(stack)], counts: left },
    transactions,
    balances,
    payments: checkPayments(journal, status, wallet),
    replicas: checkReplicas(stack, journal),
    tracker: checkTracker(stack, journal, status),
    audit: await runAudit(stack),
  }
  return found
}

/** Prints all that is known, and whether every promise was kept. Keeps the databases when one was not. */
function report({ stack, wallet, journal, client }: Work, faults: object, found: Record<string, Found>): boolean {
  const checks = Object.entries(found)
  const summary = {
    ...faults,
    unaskedEnds: stack.ends,
    wallet: wallet.counts,
    answers: journal.answers,
    longestWaitSeconds: Math.round(client.longestMs() / 1000),
    ...Object.fromEntries(checks.map(([name, { counts }]) => [name, counts])),
    broken: Object.fromEntries(checks.map(([name, { broken }]) => [name, broken.length])),
  }
  console.log(JSON.stringify(summary, null, 2))
  for (const [name, { broken }] of checks) for (const one of broken.slice(0, 20)) log(`BROKEN  ${name}: ${one}`)
  const isKept = checks.every(([, { broken }]) => broken.length === 0)
  if (!isKept)
    cpSync(stack.dataDir, join(stack.logs, 'data'), { recursive: true, filter: (path) => !path.endsWith('/sockets') })
  log(isKept ? 'Every promise was kept' : `Promises were broken; ${stack.logs} has the logs and the databases`)
  return isKept
}

async function runAudit(stack: Stack) {
  const script = join(import.meta.dir, '../../scripts/audit.ts')
  const child = Bun.spawn([process.execPath, '--no-env-file', script, '--data-dir', stack.dataDir], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  const code = await child.exited
  return { broken: code === 0 ? [] : [`The audit: ${said}`], counts: { code, said: said.trim().split('\n') } }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    killAll()
    process.exit(130)
  })
}
const isKept = await run().catch((error) => {
  console.error(error)
  killAll()
  return false
})
process.exit(isKept ? 0 : 1)
