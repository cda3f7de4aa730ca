import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { migrations } from '../src/service'

const files = readdirSync(migrations)
  .filter((name) => name.endsWith('.sql'))
  .sort()
const run = (database: Database, names: string[]) => {
  for (const name of names) database.run(readFileSync(`${migrations}/${name}`, 'utf8'))
}

test('messages from before get the transaction that their metadata names', () => {
  const database = new Database(':memory:')
  const place = files.indexOf('0003_transaction_of_message.sql')
  run(database, files.slice(0, place))
  const id = '01A1FE8F-0000-7000-8000-000000000001'
  for (const metadata of [{ transaction_id: id }, { transaction_id: null }, { transaction_id: 7 }, {}, { other: id }]) {
    database.run('insert into log_messages (id, series_id, request_id, timestamp, metadata) values (?, 1, ?, 0, ?)', [
      Bun.randomUUIDv7(),
      'r',
      JSON.stringify(metadata),
    ])
  }
  run(database, files.slice(place))
  const rows = database.query('select transaction_id from log_messages order by seq').values().flat()
  expect(rows).toEqual([id.toLowerCase(), null, null, null, null])
})
