// How long a page of log messages takes: `bun test/bench/tracker-pages.ts [messages] [days]`
// Seeds a database of its own in which every service says every event type in every status, which is the worst case
// for the counts, and asks the real app for pages by all filters, sorts and depths. Prints the slowest first.
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { openStore } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { testService } from '@bursar/testing/service'
import { config } from '../../services/log-tracker/src/config'
import { definition, migrations } from '../../services/log-tracker/src/service'
import { dayMs, seedMessages, start } from './tracker-seed'

const messages = Number(process.argv[2] ?? 1_000_000)
const days = Number(process.argv[3] ?? 30)
const rounds = 5
const end = start + days * dayMs

const dataDir = tempDir()
const file = join(dataDir, 'tracker.sqlite')
await (await openStore({ service: 'log-tracker', file, migrations })).close()
seedMessages(new Database(file), { messages, days })
const tracker = await testService({
  name: 'log-tracker',
  dataDir,
  definition: definition(config({ DATA_DIR: dataDir })),
})

const filters = { service: 'quote', type: 'WALLET_CREATED', status: 'FAILURE' }
const dates = {
  startDate: new Date(start + 0.2137 * (end - start)).toISOString(),
  endDate: new Date(start + 0.7713 * (end - start)).toISOString(),
}
const [some] = (await ask({ limit: '1' })).data
const results: {
  filters: string
  sort: string
  order: string
  page: string
  total: number
  first: number
  median: number
}[] = []
for (const filter of combinations()) {
  for (const sortBy of ['timestamp', 'service', 'status', 'event_type', 'request_id']) {
    for (const sortOrder of ['desc', 'asc']) await measure(filter, sortBy, sortOrder)
  }
}
results.sort((a, b) => b.median - a.median)
console.table(results.slice(0, 40))
for (const sort of new Set(results.map((result) => result.sort))) {
  const times = results.filter((result) => result.sort === sort).map(({ median }) => median)
  const share = times.filter((ms) => ms < 20).length / times.length
  console.log(
    `${sort}: ${times.length} combinations, slowest ${times[0]} ms, middle ${times[times.length >> 1]} ms, ` +
      `${Math.round(share * 1000) / 10} % under 20 ms`,
  )
}
await tracker.close()

async function measure(filter: Record<string, string>, sortBy: string, sortOrder: string) {
  const limit = 20
  const { total } = (await ask({ ...filter, limit: '0' })).pagination
  const last = Math.max(0, Math.ceil(total / limit) - 1)
  for (const [page, offset] of Object.entries({
    first: 0,
    middle: last >> 1,
    'third quarter': (last * 3) >> 2,
    last,
  })) {
    const query = { ...filter, sortBy, sortOrder, offset: String(offset) }
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const before = performance.now()
      await ask(query)
      times.push(Math.round((performance.now() - before) * 100) / 100)
    }
    const [first = 0] = times
    const median = times.sort((a, b) => a - b)[rounds >> 1] ?? 0
    results.push({ filters: Object.keys(filter).join(' '), sort: sortBy, order: sortOrder, page, total, first, median })
  }
}

async function ask(query: Record<string, string>) {
  const { status, body } = await tracker.get<{ data: { request_id: string }[]; pagination: { total: number } }>(
    `/log-messages?${new URLSearchParams(query)}`,
  )
  if (status === 200) return body
  throw new Error(`${JSON.stringify(query)} answered ${status} ${JSON.stringify(body)}`)
}

/** Every subset of the three filters, with and without dates, and that with a request id. */
function combinations(): Record<string, string>[] {
  let subsets: Record<string, string>[] = [{}]
  for (const [name, value] of Object.entries(filters)) {
    subsets = subsets.flatMap((subset) => [subset, { ...subset, [name]: value }])
  }
  const dated = subsets.flatMap((subset) => [subset, { ...subset, ...dates }])
  return [...dated, { requestId: some?.request_id ?? '' }, { ...filters, ...dates, requestId: some?.request_id ?? '' }]
}
