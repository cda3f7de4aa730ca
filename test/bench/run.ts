// How fast the services are, beside floors measured in the same run: bun run bench --help
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestRedis, tempDir, testRedis } from '@bursar/testing'
import { leaveServerCore } from './cores'
import { besideEarlier, readEarlier } from './earlier'
import { isMet, verdicts } from './goals'
import { circumstances, remember } from './history'
import { measure, type Result } from './measure'
import { help, type Options, readOptions } from './options'
import { killAll } from './processes'
import { profile } from './profile'
import type { Place, Scenario } from './scenario'
import { scenariosFor } from './scenarios'
import { seed } from './seed'
import { startAndMemory } from './start-and-memory'
import { goalTable, loadTable } from './table'

const memory = 'memory'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(130))
}
process.on('exit', killAll)

try {
  const names = [...scenariosFor({ entries: 1 }).map(({ name }) => name), memory]
  const options = readOptions(process.argv.slice(2), names)
  if (options === 'help') console.log(`${help}\n\nScenarios: ${names.join(', ')}`)
  else await run(options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
process.exit()

async function run(options: Options): Promise<void> {
  if (!Bun.which('wrk')) {
    throw new Error('The benchmark needs wrk: `apt-get install wrk` on Debian and Ubuntu, `brew install wrk` on macOS.')
  }
  await leaveServerCore()
  const [redis, earlierRedis] = await Promise.all([testRedis(), testRedis()])
  try {
    const place = placeWith(redis, seed)
    const chosen = choose(options)
    if (options.profile) return await profileAll(chosen, place, options.seconds)
    if (options.beside === null) return await measureAll(chosen, place, options)
    const earlier = await readEarlier(options.beside, options.entries)
    const theirs = placeWith(earlierRedis, earlier.seed)
    await measureAll(besideEarlier(chosen, earlier, { place: theirs, tell }), place, options)
  } finally {
    await Promise.all([redis.stop(), earlierRedis.stop()])
  }
}

function choose(options: Options): Scenario[] {
  const { only, goals } = options
  const named = scenariosFor(options).filter(({ name }) => only.length === 0 || only.includes(name))
  if (!goals) return named
  const judged = named.map((scenario) => ({
    ...scenario,
    connections: scenario.connections.filter((count) =>
      scenario.goals.some(({ connections }) => connections === count),
    ),
  }))
  return judged.filter(({ connections }) => connections.length > 0)
}

function placeWith(redis: TestRedis, fill: typeof seed): Place {
  const home = tempDir()
  const known = new Map<number, Promise<string>>()
  let folders = 0
  const newFolder = () => {
    folders += 1
    const folder = join(home, String(folders))
    mkdirSync(folder, { mode: 0o700 })
    return folder
  }
  async function makeSeeded(assets: number): Promise<string> {
    const folder = newFolder()
    tell(`making a database of ${assets.toLocaleString('en')} assets`)
    await fill(folder, assets)
    return folder
  }
  return {
    redisUrl: redis.url,
    bun: [process.execPath],
    newFolder,
    seeded(assets) {
      const made = known.get(assets) ?? makeSeeded(assets)
      known.set(assets, made)
      return made
    },
  }
}

async function measureAll(chosen: readonly Scenario[], place: Place, options: Options): Promise<void> {
  const { rounds, seconds, settle, warmUp, only, beside } = options
  const measured: { scenario: Scenario; results: Result[] }[] = []
  for (const scenario of chosen) {
    const progress = (said: string) => tell(`${scenario.title}: ${said}`)
    const results = await measure(scenario, place, { rounds, seconds, settle, warmUp, tell: progress })
    measured.push({ scenario, results })
    console.error(`\n${loadTable([{ scenario, results }])}\n`)
  }
  const wantsMemory = beside === null && (only.length === 0 || only.includes(memory))
  const started = wantsMemory ? await startAndMemory(place, { rounds, seconds, tell }) : { text: '', met: true }
  const load = measured.length > 0 ? [loadTable(measured), goalTable(measured)] : []
  const tables = [...load, started.text].filter((text) => text !== '')
  const text = [await circumstances(rounds, seconds), ...tables].join('\n\n')
  const all = measured.flatMap(({ scenario, results }) =>
    results.flatMap((result) => verdicts(scenario, result, results)),
  )
  const met = started.met && all.every(isMet)
  console.log(`\n${text}\n\n${met ? 'All goals are met.' : 'Not all goals are met.'}`)
  if (options.history) await remember(text)
}

async function profileAll(chosen: readonly Scenario[], place: Place, seconds: number): Promise<void> {
  for (const scenario of chosen) {
    tell(`${scenario.title}: profiling`)
    console.log(`\n${await profile(scenario, place, seconds)}\n`)
  }
}

/** A line of progress, apart from the result. */
function tell(said: string): void {
  console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${said}`)
}
