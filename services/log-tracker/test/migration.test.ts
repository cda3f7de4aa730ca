import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { asc, openStore } from '@bursar/store'
import { integer, json, table, text, timestamp } from '@bursar/store/schema'
import { migrationsUntil, tempDir } from '@bursar/testing'
import { logMessages } from '../src/log-messages/log-messages.table'
import { migrations } from '../src/service'

/** As they were stored before. */
const oldMessages = table('log_messages', {
  id: text().notNull(),
  seriesId: integer().notNull(),
  requestId: text().notNull(),
  timestamp: timestamp().notNull(),
  metadata: json<object>().notNull(),
})

test('messages from before get the transaction that their metadata names', async () => {
  const file = join(tempDir(), 'tracker.sqlite')
  const old = await openStore({
    service: 'log-tracker',
    file,
    migrations: migrationsUntil(migrations, '0002_ledger_heads'),
  })
  const named = '01A1FE8F-0000-7000-8000-000000000001'
  const all = [{ transaction_id: named }, { transaction_id: null }, { transaction_id: 7 }, {}, { other: named }]
  await old.commit(async (tx) => {
    for (const metadata of all) {
      const id = Bun.randomUUIDv7()
      await tx.insert(oldMessages).values({ id, seriesId: 1, requestId: 'r', timestamp: new Date(0), metadata })
    }
  })
  await old.close()
  const store = await openStore({ service: 'log-tracker', file, migrations })
  const rows = await store.read.select().from(logMessages).orderBy(asc(logMessages.seq))
  expect(rows.map(({ transactionId }) => transactionId)).toEqual([named.toLowerCase(), null, null, null, null])
  await store.close()
})
