// How fast the services are on PostgreSQL, beside the same withdrawal as a stored function called by pgbench in the same run:
// `bun test/bench/postgres/speed.ts --help`.
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { tempDir, testRedis } from '@bursar/testing'
import { onAllCores } from '../cores'
import { isMet, verdicts } from '../goals'
import { commitInWords } from '../history'
import { seedLedger } from '../ledger-seed'
import { measure } from '../measure'
import { killAll } from '../processes'
import type { Place } from '../scenario'
import { goalTable, loadTable } from '../table'
import { postgresPrograms, startPostgres } from './server'
import { type Bench, ledgerOn, withdrawalScenario } from './subjects'
import { timeTracker } from './tracker'

const help = `How fast the services are on PostgreSQL: bun test/bench/postgres/speed.ts [options]

Withdrawals over HTTP beside the stored function that pgbench calls, and beside a transaction for each of them; both through a network
as well; two instances beside one; deposits approved and completed; pages of log messages by all filters. All in turn on one server,
with fsync; medians of rounds.

  --rounds N       rounds of each measurement, taken in turn (5)
  --seconds N      length of one measurement (3)
  --connections N  requests at the same time (64)
  --network N      milliseconds that the network takes, there and back (3)
  --messages N     log messages (1000000)
  --share N        one and two instances alone, each with N hundredths of a core at most: PostgreSQL has cores left then. Needs root,
                   and rounds of 6 s: their compiler has no more either
  --only NAME      withdrawals or tracker; both unless given
  --help           this text

Takes the whole machine, which nobody else may use meanwhile: server, services and clients share all cores. TMPDIR is where the
database is: on a memory file system writes look faster than they are. Needs PostgreSQL with pgbench, and wrk.`

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
process.on('exit', killAll)

interface Options {
  rounds: number
  seconds: number
  connections: number
  network: number
  messages: number
  share: number | null
  only: string | undefined
}

/** Null for the help. */
function readOptions(): Options | null {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '64' },
      network: { type: 'string', default: '3' },
      messages: { type: 'string', default: '1000000' },
      share: { type: 'string' },
      only: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  if (values.only !== undefined && !['withdrawals', 'tracker'].includes(values.only))
    throw new Error(`--only takes withdrawals or tracker, not "${values.only}"`)
  if (values.share !== undefined && values.only === 'tracker')
    throw new Error('--share is about withdrawals: leave --only tracker out')
  const number = (name: 'rounds' | 'seconds' | 'connections' | 'network' | 'messages' | 'share') => {
    if (/^[1-9]\d{0,7}$/.test(values[name] ?? '')) return Number(values[name])
    throw new Error(`--${name} takes a whole number from 1, not "${values[name]}"`)
  }
  return {
    rounds: number('rounds'),
    seconds: number('seconds'),
    connections: number('connections'),
    network: number('network'),
    messages: number('messages'),
    share: values.share === undefined ? null : number('share'),
    only: values.only,
  }
}

const tell = (said: string) => console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${said}`)

async function run(options: Options): Promise<void> {
  const programs = postgresPrograms()
  if (programs === null) throw new Error('PostgreSQL with pgbench is needed: `apt-get install postgresql` on Debian.')
  if (!Bun.which('wrk')) throw new Error('wrk is needed: `apt-get install wrk` on Debian.')
  const redis = await testRedis()
  const server = await startPostgres(programs, onAllCores, join(import.meta.dir, 'schema.sql'))
  const home = tempDir()
  let folders = 0
  const newFolder = () => {
    folders += 1
    const folder = join(home, String(folders))
    mkdirSync(folder, { mode: 0o700 })
    return folder
  }
  const bench: Bench = { server, redisUrl: redis.url, newFolder, share: options.share }
  const { rounds, seconds, only } = options
  const shared = `${availableParallelism()} cores that server, services and clients share`
  console.log(`Bun ${Bun.version}, ${shared}, ${await commitInWords()}, ${rounds} rounds of ${seconds} s.`)
  try {
    let met = true
    if (only !== 'tracker') {
      const accounts = 5000
      // Each is approved once; together they last for all rounds and the warm-up.
      const pending = (rounds * seconds + 4) * 4000
      tell('making a ledger')
      const folder = newFolder()
      await seedLedger(folder, { accounts, deposits: accounts, pending })
      await ledgerOn(bench, folder)
      const scenario = withdrawalScenario(bench, options)
      const place: Place = { redisUrl: redis.url, newFolder, bun: [process.execPath], seeded: async () => folder }
      const results = await measure(scenario, place, { rounds, seconds, warmUp: 2, tell })
      console.log(`\n${loadTable([{ scenario, results }])}\n\n${goalTable([{ scenario, results }])}`)
      met = results.flatMap((result) => verdicts(scenario, result, results)).every(isMet)
    }
    if (only !== 'withdrawals' && options.share === null) {
      const found = await timeTracker(bench, { messages: options.messages, rounds, tell })
      console.log(`\n${found.text}`)
      met = met && found.met
    }
    console.log(`\n${met ? 'All goals are met.' : 'Not all goals are met.'}`)
  } finally {
    await server.stop()
    await redis.stop()
  }
}

try {
  const options = readOptions()
  if (options === null) console.log(help)
  else await run(options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
process.exit()
