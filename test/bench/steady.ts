// Whole withdrawals at a steady rate: `bun test/bench/steady.ts [a second] [seconds]` (500, 60). They come at that rate whether
// those before them have ended or not, as callers' do. For each minute: how many of those that were made in it are COMPLETED a
// minute later, and how long that took from the record to COMPLETED. Client, services and Redis share the machine.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { until } from '@bursar/testing'
import { groupsOf, names, startStack } from './whole-stack'

const { values, positionals } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000' },
    'one-process': { type: 'boolean', default: false },
    groups: { type: 'string', default: '' },
  },
  allowPositionals: true,
})
const [perSecond = 500, seconds = 60] = positionals.map(Number)
const minute = 60_000
/** A client that waits for so many answers sends no more: what it measures then is not that rate. */
const mostWaiting = 5000
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const stack = await startStack({
  root: join(import.meta.dir, '../..'),
  groups: values['one-process'] ? [names] : groupsOf(values.groups),
  accounts: Number(values.accounts),
  lanes: 64,
  profiles: null,
  settings: {},
})
await stack.payAll(5000)

const started = Date.now()
let asked = 0
let waiting = 0
let longestLag = 0
const failures: unknown[] = []
const usedBefore = total()
let told = 0
while (asked < perSecond * seconds) {
  const due = Math.min(Math.floor(((Date.now() - started) / 1000) * perSecond), perSecond * seconds)
  longestLag = Math.max(longestLag, due - asked)
  while (asked < due && waiting < mostWaiting) {
    asked++
    waiting++
    stack
      .withdraw()
      .catch((error) => failures.push(error))
      .finally(() => waiting--)
  }
  // The minute before: what it began has ended by now, unless the services cannot keep up.
  while (Date.now() >= started + (told + 2) * minute) tell(told++)
  await Bun.sleep(5)
}
const rate = asked / ((Date.now() - started) / 1000)
const all = () => stack.tookBetween(started, Number.MAX_SAFE_INTEGER)
await until(() => waiting === 0 && all().length + failures.length >= asked, {
  what: 'all COMPLETED',
  timeoutMs: 600_000,
})
const settledMs = Date.now() - started - seconds * 1000
while (told * minute < seconds * 1000) tell(told++)
const took = all()
console.log(
  `${asked} asked for, ${Math.round(rate)} a second; ${took.length} COMPLETED, ${failures.length} refused; the last ` +
    `${(settledMs / 1000).toFixed(1)} s after the end; p50 ${at(took, 0.5)} ms, p99 ${at(took, 0.99)} ms, longest ` +
    `${took.at(-1)} ms; ${((total() - usedBefore) / took.length).toFixed(2)} ms of processor for each; the client was ` +
    `${longestLag} behind at most; ${Math.round(stack.memory())} MB (PSS)`,
)
if (failures.length > 0) console.log('The first that was refused:', failures[0])
await stack.stop()
process.exit(failures.length > 0 || took.length < asked ? 1 : 0)

function tell(place: number): void {
  const took = stack.tookBetween(started + place * minute, started + (place + 1) * minute)
  console.log(`minute ${place + 1}: ${took.length} COMPLETED, p50 ${at(took, 0.5)} ms, p99 ${at(took, 0.99)} ms`)
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN
}

/** Milliseconds of processor, of all that is measured. */
function total(): number {
  return [...stack.used().values()].reduce((sum, ms) => sum + ms, 0)
}
