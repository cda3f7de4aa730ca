import type { Database } from 'bun:sqlite'
import { logEventTypes, logStatuses } from '@bursar/contracts/log-entry'
import { services } from '@bursar/contracts/services'

export const dayMs: number = 24 * 60 * 60 * 1000
export const start: number = Date.UTC(2026, 0, 1)
const countsAll = "service = '' AND event_type = '' AND status = ''"
/** As full as blocks get that were filled in the order of time. */
const perBlock = 8192

/** Every service says every event type in every status: the worst case for the counts. */
export function seedMessages(db: Database, { messages, days }: { messages: number; days: number }): void {
  const end = start + days * dayMs
  const names = Object.keys(services).flatMap((service) =>
    logEventTypes.flatMap((type) => logStatuses.map((status) => [service, type, status] as const)),
  )
  db.run('PRAGMA synchronous = OFF')
  db.run('BEGIN')
  const series = db.prepare('INSERT INTO log_series VALUES (?, ?, ?, ?, 0)')
  for (const [i, name] of names.entries()) series.run(i + 1, ...name)
  const message = db.prepare(
    'INSERT INTO log_messages (id, series_id, request_id, timestamp, metadata) VALUES (?, ?, ?, ?, ?)',
  )
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
