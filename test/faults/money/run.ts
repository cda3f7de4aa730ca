// One run: a platform, its work, its faults, its end, and the recount over copies of its databases.
import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { tempDir } from '@bursar/testing'
import { builtServices } from '@bursar/testing/platform'
import { runLane } from './actors'
import { newClient } from './client'
import { isEnough } from './enough'
import { breakThings, endFaults } from './faults'
import { knowledgeOf } from './knowledge'
import { keepShift } from './operator'
import type { Unit } from './processes'
import { seeded } from './random'
import type { Finding } from './recount/finding'
import { recount } from './recount/recount'
import { type Knowledge, readState, type State } from './recount/state'
import { settle } from './settle'
import { type Stack, startStack } from './stack'
import { giveMoney, newWorld, type World } from './world'

export interface RunOptions {
  seed: number
  seconds: number
  /** For a run that is to be attacked: it goes on, for four minutes at most, until there is something to attack. */
  untilEnough?: boolean
  units: readonly Unit[]
  /** Actors at a time. */
  lanes: number
  customers: number
  /** With three, one goes for good at some time. */
  institutions: number
  /** How many faults may be at work at a time; 0 for none. */
  faultLanes: number
  /** Of a hundred faults of processes: how many set a database back to an earlier copy. */
  restorePercent: number
  blockMs: number
  stillMs: number
  logs?: string
  print(line: string): void
}

export interface Done {
  world: World
  findings: Finding[]
  state: State
  /** The databases as they were in the end: folder of copies. */
  copies: (service: ServiceName) => string
  knowledge: Knowledge
  faults: Record<string, number>
}

/** `after` is called while the node still runs, with what was found: attacks begin there. */
export async function run<T>(options: RunOptions, after: (done: Done) => Promise<T>): Promise<T> {
  const { seed, units, blockMs, logs, print } = options
  const stack = await startStack({ units, random: seeded(seed + 1), blockMs, ...(logs && { logs }) })
  try {
    print(`${units.length} processes are up`)
    return await after(await runOn(stack, options))
  } finally {
    await stack.close()
  }
}

async function runOn(stack: Stack, options: RunOptions): Promise<Done> {
  const { seed, seconds, lanes, customers, institutions, stillMs, print } = options
  const client = newClient(stack.url, seeded(seed + 2))
  const world = await newWorld(stack, client, seeded(seed + 3), { customers, portfolios: 2, institutions })
  await giveMoney(world)
  print(`${world.accounts.length} accounts have money`)
  const until = performance.now() + seconds * 1000
  let isDone = !options.untilEnough
  const looking = setInterval(() => {
    isDone ||= isEnough(world) || performance.now() > until + 240_000
  }, 500)
  const isOver = () => performance.now() > until && isDone
  const faults = { world, random: seeded(seed + 4), counts: {}, excused: new Set<string>(), print, isOver }
  const progress = setInterval(() => {
    print(`${progressOf(world, faults.counts)}; ${Math.round((until - performance.now()) / 1000)} s to go`)
    boundLogs(stack.logs)
  }, 60_000)
  await Promise.all([
    ...Array.from({ length: lanes }, () => runLane(world, isOver)),
    keepShift(world, isOver),
    breakThings(faults, options.faultLanes, options.restorePercent),
  ])
  clearInterval(progress)
  clearInterval(looking)
  await endFaults(faults)
  print('faults and work are over')
  const open = await settle({ world, excused: faults.excused, stillMs, longestMs: 1_800_000, print })
  print(`settled; open: ${JSON.stringify(open)}`)
  const knowledge = await knowledgeOf(world, faults.excused)
  await Promise.all(stack.units.map((unit) => stack.end(unit, 'SIGTERM')))
  const copies = copyAll(stack, options.logs ?? tempDir())
  const state = await readState(copies, stack.node.url, stack.node.token, knowledge)
  const findings = recount(state, knowledge)
  return { world, findings, state, copies, knowledge, faults: faults.counts }
}

function progressOf({ promised, payments, orders, stack }: World, faults: Record<string, number>): string {
  const all = Object.values(faults).reduce((sum, n) => sum + n, 0)
  const megabytes = builtServices().reduce((sum, name) => sum + sizeOf(stack.file(name)), 0) / 1e6
  return (
    `${promised.size} movements, ${payments.size} payments between banks, ${orders.size} orders of institutions, ` +
    `${all} faults; databases ${megabytes.toFixed(0)} MB, this process ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`
  )
}

const sizeOf = (file: string): number =>
  ['', '-wal'].reduce((sum, end) => sum + (existsSync(file + end) ? statSync(file + end).size : 0), 0)

const mostOfLog = 16_000_000

/** A log that has grown long goes on in an empty file; the part before is kept once. */
function boundLogs(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.log'))) {
    const file = join(folder, name)
    if (statSync(file).size < mostOfLog) continue
    copyFileSync(file, `${file}.before`)
    truncateSync(file)
  }
}

/** Copies of all databases, in a folder there; the services are down. */
function copyAll(stack: Stack, place: string): (service: ServiceName) => string {
  const folder = join(place, 'copies')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const placeOf = (service: ServiceName) => join(folder, basename(stack.file(service)))
  for (const service of builtServices()) {
    for (const end of ['', '-wal'])
      if (existsSync(stack.file(service) + end)) copyFileSync(stack.file(service) + end, placeOf(service) + end)
    // Each attack copies them again: the log of each would be larger than itself.
    const database = new Database(placeOf(service))
    database.run('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
  }
  return placeOf
}
