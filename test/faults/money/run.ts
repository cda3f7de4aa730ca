// One run: a platform, its work, its faults, its end, and the recount over copies of its databases.
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { tempDir } from '@bursar/testing'
import { builtServices } from '@bursar/testing/platform'
import { seeded } from '../hour/random'
import { runLane } from './actors'
import { newClient } from './client'
import { breakThings, endFaults } from './faults'
import { knowledgeOf } from './knowledge'
import type { Unit } from './processes'
import type { Finding } from './recount/finding'
import { recount } from './recount/recount'
import { type Knowledge, readState } from './recount/state'
import { settle } from './settle'
import { type Stack, startStack } from './stack'
import { giveMoney, newWorld, type World } from './world'

export interface RunOptions {
  seed: number
  seconds: number
  units: readonly Unit[]
  /** Actors at a time. */
  lanes: number
  customers: number
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
  const { seed, seconds, lanes, customers, stillMs, print } = options
  const client = newClient(stack.url, seeded(seed + 2))
  const world = await newWorld(stack, client, seeded(seed + 3), { customers, portfolios: 2 })
  await giveMoney(world)
  print(`${world.accounts.length} accounts have money coming in`)
  const until = performance.now() + seconds * 1000
  const isOver = () => performance.now() > until
  const faults = { world, random: seeded(seed + 4), counts: {}, excused: new Set<string>(), print, isOver }
  const progress = setInterval(() => {
    const left = Math.round((until - performance.now()) / 1000)
    print(`${world.promised.size} movements, ${world.payments.size} payments between banks; ${left} s to go`)
  }, 10_000)
  await Promise.all([
    ...Array.from({ length: lanes }, () => runLane(world, isOver)),
    breakThings(faults, options.faultLanes, options.restorePercent),
  ])
  clearInterval(progress)
  await endFaults(faults)
  print('faults and work are over')
  const open = await settle({ world, excused: faults.excused, stillMs, longestMs: 600_000, print })
  print(`settled; open: ${JSON.stringify(open)}`)
  const knowledge = await knowledgeOf(world, faults.excused)
  await Promise.all(stack.units.map((unit) => stack.end(unit, 'SIGTERM')))
  const copies = copyAll(stack, options.logs ?? tempDir())
  const findings = recount(await readState(copies, stack.node.url, stack.node.token, knowledge), knowledge)
  return { world, findings, copies, knowledge, faults: faults.counts }
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
  }
  return placeOf
}
