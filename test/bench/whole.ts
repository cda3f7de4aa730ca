// A whole withdrawal, screening included: `bun test/bench/whole.ts [withdrawals] [rounds]` (2000, 3). The processor time of
// all its services, of those that are told of it and of Redis, beside the floor (floors/withdrawal.ts), in one run and in turn.
// With `--accounts N` they are of so many accounts (50), with `--one-process` all services share a process, with
// `--groups 'core-ledger,sanctions;wallet,blockchain'` those of a group do, with `--profile DIR`
// CPU profiles are written there, with `--of DIR` the services are those of another checkout, with `--with NAME=VALUE` they have
// that setting. With `--beside DIR` those of another checkout, without that setting, are measured in the same run, in turn.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { tempDir } from '@bursar/testing'
import { withdrawalFloor } from './floors/withdrawal'
import { hottest } from './profile'
import { carriers, type Figures, groupsOf, names, startStack, type WholeStack } from './whole-stack'

const { values, positionals } = parseArgs({
  options: {
    accounts: { type: 'string', default: '50' },
    'one-process': { type: 'boolean', default: false },
    groups: { type: 'string', default: '' },
    profile: { type: 'string' },
    of: { type: 'string' },
    beside: { type: 'string' },
    with: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
})
const [count = 2000, rounds = 3] = positionals.map(Number)
const profiles = values.profile ?? null
const groups = values['one-process'] ? [names] : groupsOf(values.groups)
const accounts = Number(values.accounts)
const batch = 64
const common = { groups, accounts, lanes: batch }
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const settings = Object.fromEntries(values.with.map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]))
const root = values.of ?? join(import.meta.dir, '../..')
const subjects = [{ name: 'now', stack: await startStack({ ...common, root, profiles, settings }) }]
if (values.beside !== undefined) {
  const stack = await startStack({ ...common, root: values.beside, profiles: null, settings: {} })
  subjects.unshift({ name: 'beside', stack })
}

const floor = withdrawalFloor(tempDir())
floor(count, batch)
for (const { stack } of subjects) await stack.payAll(count)
console.log(`${count} withdrawals a round, ${accounts} accounts, ${batch} lanes; ms of processor for each`)
const countsBefore = await Promise.all(subjects.map(({ stack }) => stack.counts()))
const sums = subjects.map(() => new Map<string, number>())
const ratios: number[] = []
for (let round = 1; round <= rounds; round++) {
  const floorMs = usedByFloor()
  const totals: number[] = []
  // Each is the first one as often.
  for (const place of round % 2 === 1 ? [...subjects.keys()] : [...subjects.keys()].reverse()) {
    const { name, stack } = subjects[place] as (typeof subjects)[number]
    const { each, rate } = await usedBy(stack)
    each.set('floor', floorMs)
    for (const [what, ms] of each) sums[place]?.set(what, (sums[place]?.get(what) ?? 0) + ms / rounds)
    tell(`${name}, round ${round}, ${Math.round(rate)} a second`, stack, each)
    totals[place] = totalOf(stack, each)
  }
  if (totals.length > 1) ratios.push((totals[1] ?? 0) / (totals[0] ?? 0))
}
for (const [place, { name, stack }] of subjects.entries()) {
  tell(`${name}, mean`, stack, sums[place] as Figures)
  console.log(`  ${Math.round(stack.memory())} MB (PSS)`)
  for (const [service, after] of await stack.counts()) {
    const before = countsBefore[place]?.get(service) ?? {}
    const each = (what: string, n: number) => ((n - (before[what] ?? 0)) / count / rounds).toFixed(3)
    console.log(
      `  ${service}: ${Object.entries(after)
        .map(([what, n]) => `${what} ${each(what, n)}`)
        .join(', ')}`,
    )
  }
}
if (ratios.length > 0) {
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
  console.log(`now for beside: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; mean ${mean.toFixed(3)}`)
}
if (profiles !== null) {
  await subjects.at(-1)?.stack.stop()
  for (const name of subjects.at(-1)?.stack.processes ?? []) {
    console.log(`${name}\n${await hottest(join(profiles, name))}`)
  }
}
process.exit(0)

function usedByFloor(): number {
  const before = process.cpuUsage()
  floor(count, batch)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / count
}

async function usedBy(stack: WholeStack): Promise<{ each: Map<string, number>; rate: number }> {
  const before = stack.used()
  const started = performance.now()
  await stack.payAll(count)
  const rate = count / ((performance.now() - started) / 1000)
  const after = stack.used()
  return { each: new Map([...after].map(([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / count])), rate }
}

function totalOf({ processes }: WholeStack, each: Figures): number {
  return sumOf(each, [...processes, 'redis'])
}

function sumOf(each: Figures, all: readonly string[]): number {
  return all.reduce((sum, name) => sum + (each.get(name) ?? 0), 0)
}

function tell(what: string, stack: WholeStack, each: Figures): void {
  const [carried, all] = [sumOf(each, [...carriers, 'redis']), totalOf(stack, each)]
  const least = each.get('floor') ?? Number.NaN
  const parts = [...stack.processes, 'redis'].map((name) => `${name} ${(each.get(name) ?? 0).toFixed(3)}`)
  const untold = groups.some(({ length }) => length > 1)
    ? ''
    : `; without those that are told ${carried.toFixed(3)} = ${(carried / least).toFixed(1)} times`
  console.log(
    `${what}: ${all.toFixed(3)} = ${(all / least).toFixed(1)} times the floor of ${least.toFixed(3)}${untold} ` +
      `(${parts.join(', ')})`,
  )
}
