import { parseArgs } from 'node:util'

export interface Options {
  rounds: number
  seconds: number
  /** Without load, after the start of all subjects. */
  settle: number
  /** Of load before the first round, at each number of connections. */
  warmUp: number
  only: string[]
  history: boolean
  profile: boolean
  /** Measure only the numbers of connections that a goal is about. */
  goals: boolean
  /** Entries in the journal of the large ledger. */
  entries: number
  /** The folder of another checkout, whose services stand in for the floors; null for the floors. */
  beside: string | null
}

export const help = `Usage: bun run bench [options]

Measures how fast the services are, beside floors in the same run.

  --rounds N      rounds of each measurement, taken in turn; the median counts (5)
  --seconds N     length of one measurement (3)
  --settle N      seconds without load after the start (0): a ledger audits all its entries once, from its first minute on, which
                  takes two minutes for a million
  --warm-up N     seconds of load before the first round, at each number of connections (2); what a service still compiles after it
                  is measured: at one connection some 10,000 requests
  --only NAME     only this scenario; may be repeated
  --goals         only what a goal is set for: leaves out the other scenarios and numbers of connections
  --entries N     entries in the journal of the large ledger (1000000); 10000000 need 10 GB of disk
  --beside DIR    instead of the floors, the services of another checkout (git worktree add DIR COMMIT, bun install there):
                  whether anything became slower since
  --no-history    do not append the result to test/bench/history.md
  --profile       no floors: where the service spends its time in each scenario, by Bun's CPU profiler
  --help          this text

All that a goal is set for, in twelve minutes: bun run bench --goals --rounds 3 --seconds 2 --entries 10000000

Takes the whole machine, which nobody else may use meanwhile: with two cores or more the server runs on the first and the client on
the others. TMPDIR is where the databases are: on a memory file system writes look faster than they are.`

/** Reads the command line. Throws a sentence when it makes no sense. */
export function readOptions(args: string[], scenarios: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      settle: { type: 'string' },
      'warm-up': { type: 'string', default: '2' },
      only: { type: 'string', multiple: true, default: [] },
      'no-history': { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      goals: { type: 'boolean', default: false },
      beside: { type: 'string' },
      entries: { type: 'string', default: '1000000' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const unknown = values.only.find((name) => !scenarios.includes(name))
  if (unknown !== undefined) throw new Error(`There is no scenario ${unknown}; there are ${scenarios.join(', ')}`)
  return {
    rounds: count(values.rounds, '--rounds'),
    seconds: count(values.seconds, '--seconds'),
    settle: values.settle === undefined ? 0 : count(values.settle, '--settle'),
    warmUp: count(values['warm-up'], '--warm-up'),
    only: values.only,
    history: !values['no-history'],
    profile: values.profile,
    goals: values.goals,
    entries: count(values.entries, '--entries'),
    beside: values.beside ?? null,
  }
}

function count(text: string, name: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text)
  throw new Error(`${name} takes a whole number from 1, not "${text}"`)
}
