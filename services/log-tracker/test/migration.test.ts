import { expect, test } from 'bun:test'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '@bursar/store'
import { integer, json, table, text } from '@bursar/store/schema'
import { tempDir } from '@bursar/testing'
import { logMessages } from '../src/log-messages/log-messages.table'
import { migrations } from '../src/service'

/** As it was before messages had the transaction in a column. */
const oldMessages = table('log_messages', {
  id: text().notNull(),
  seriesId: integer().notNull(),
  requestId: text().notNull(),
  timestamp: integer().notNull(),
  metadata: json<Record<string, unknown>>().notNull(),
})

/** The migrations before this one, in a folder of their own. */
function migrationsBefore(tag: string): string {
  const folder = tempDir()
  cpSync(migrations, folder, { recursive: true })
  const file = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  const place = journal.entries.findIndex((entry: { tag: string }) => entry.tag === tag)
  expect(place).toBeGreaterThan(0)
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, place) }))
  return folder
}

test('messages from before get the transaction that their metadata names', async () => {
  const options = { service: 'log-tracker', file: join(tempDir(), 'tracker.sqlite') }
  const before = await openStore({ ...options, migrations: migrationsBefore('0003_transaction_of_message') })
  const id = '01A1FE8F-0000-7000-8000-000000000001'
  await before.commit(async (tx) => {
    for (const metadata of [
      { transaction_id: id },
      { transaction_id: null },
      { transaction_id: 7 },
      {},
      { other: id },
    ]) {
      const message = { id: Bun.randomUUIDv7(), seriesId: 1, requestId: 'r', timestamp: 0, metadata }
      await tx.insert(oldMessages).values(message)
    }
  })
  await before.close()
  const store = await openStore({ ...options, migrations })
  const rows = await store.read.select({ id: logMessages.transactionId }).from(logMessages).orderBy(logMessages.seq)
  expect(rows.map((row) => row.id)).toEqual([id.toLowerCase(), null, null, null, null])
  await store.close()
})
