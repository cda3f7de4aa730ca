// How long a page of log messages takes: `bun test/bench/tracker-pages.ts [messages] [days]`
// Seeds a database of its own in which every service says every event type in every status, which is the worst case
// for the counts, and asks the real app for pages by all filters, sorts and depths. Prints the slowest first.
// On PostgreSQL: `bun test/bench/postgres/speed.ts --only tracker`.
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { openStore } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { testService } from '@bursar/testing/service'
import { config } from '../../services/log-tracker/src/config'
import { definition, migrations } from '../../services/log-tracker/src/service'
import { pageOf, timePages, timesInWords } from './tracker-queries'
import { seedMessages } from './tracker-seed'

const messages = Number(process.argv[2] ?? 1_000_000)
const days = Number(process.argv[3] ?? 30)

const dataDir = tempDir()
const file = join(dataDir, 'tracker.sqlite')
await (await openStore({ service: 'log-tracker', file, migrations })).close()
seedMessages(new Database(file), { messages, days })
const tracker = await testService({
  name: 'log-tracker',
  dataDir,
  definition: definition(config({ DATA_DIR: dataDir })),
})

const sorts = ['timestamp', 'service', 'status', 'event_type', 'request_id']
const results = await timePages(ask, { days, rounds: 5, sorts })
console.table(results.slice(0, 40))
for (const line of timesInWords(results, 20)) console.log(line)
await tracker.close()

async function ask(query: Record<string, string>) {
  const { status, body } = await tracker.get(`/log-messages?${new URLSearchParams(query)}`)
  return pageOf(query, status, body)
}
