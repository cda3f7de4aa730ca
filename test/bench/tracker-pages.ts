// How long a page of log messages takes: `bun test/bench/tracker-pages.ts [messages] [days]`
// Seeds a database of its own in which every service says every event type in every status, which is the worst case
// for the counts, and asks the real app for pages by all filters, sorts and depths. Prints the slowest first.
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { logEventTypes, logStatuses } from '@bursar/contracts/log-entry'
import { services } from '@bursar/contracts/services'
import { openStore } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { testService } from '@bursar/testing/service'
import { config } from '../../services/log-tracker/src/config'
import { definition, migrations } from '../../services/log-tracker/src/service'

const messages = Number(process.argv[2] ?? 1_000_000)
const days = Number(process.argv[3] ?? 30)
const rounds = 5
const dayMs = 24 * 60 * 60 * 1000
const start = Date.UTC(2026, 0, 1)
const end = start + days * dayMs
const countsAll = "service = '' AND event_type = '' AND status = ''"
/** As full as blocks get that were filled in the order of time. */
const perBlock = 8192

const dataDir = tempDir()
const file = join(dataDir, 'tracker.sqlite')
await (await openStore({ service: 'log-tracker', file, migrations })).close()
seed(new Database(file))
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

function seed(db: Database) {
  const names = Object.keys(services).flatMap((service) =>
    logEventTypes.flatMap((type) => logStatuses.map((status) => [service, type, status] as const)),
  )
  db.run('PRAGMA synchronous = OFF')
  db.run('BEGIN')
  const series = db.prepare('INSERT INTO log_series VALUES (?, ?, ?, ?, 0)')
  for (const [i, name] of names.entries()) series.run(i + 1, ...name)
  const message = db.prepare('INSERT INTO log_messages VALUES (NULL, ?, ?, ?, ?, ?)')
  let requestId = ''
  for (let i = 0; i < messages; i++) {
    if (i % 4 === 0) requestId = crypto.randomUUID()
    const seriesId = 1 + Math.floor(Math.random() * names.length)
    const time = start + Math.floor((i / messages) * (end - start)) + Math.floor(Math.random() * 1000)
    message.run(Bun.randomUUIDv7(), seriesId, requestId, time, JSON.stringify({ asset_code: 'BTC', rate: i / 7 }))
  }
  const times = db.query('SELECT timestamp FROM log_messages ORDER BY timestamp').values() as [number][]
  const starts = [-8.64e15, ...times.map(([time]) => time).filter((_, i) => i > 0 && i % perBlock === 0)]
  for (const [i, from] of starts.entries()) {
    for (let part = 0; part < 8; part++) countBlock(db, from, starts[i + 1] ?? 8.64e15, part)
  }
  db.run(`INSERT INTO time_blocks SELECT block, messages FROM time_block_counts WHERE ${countsAll}`)
  db.run(`DELETE FROM time_block_counts WHERE ${countsAll}`)
  db.run('UPDATE log_series SET messages = (SELECT count(*) FROM log_messages WHERE series_id = log_series.id)')
  db.run('COMMIT')
  db.close()
}

/** Counts a block's messages under one combination of the three names. */
function countBlock(db: Database, from: number, to: number, part: number) {
  const [service, type, status] = ['service', 'event_type', 'status'].map((name, i) => (part & (1 << i) ? name : "''"))
  db.run(
    `INSERT INTO time_block_counts (block, service, event_type, status, messages)
     SELECT ?, ${service}, ${type}, ${status}, count(*)
     FROM log_messages JOIN log_series ON log_series.id = series_id
     WHERE timestamp >= ? AND timestamp < ? GROUP BY 2, 3, 4`,
    [from, from, to],
  )
}
