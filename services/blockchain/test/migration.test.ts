// What a database of an earlier version holds reads as it should after the update.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openStore } from '@bursar/store'
import { integer, money, table, text, timestamp } from '@bursar/store/schema'
import { localServer, migrationsUntil, tempDir } from '@bursar/testing'
import { migrations } from '../src/service'
import { startOrdering } from '../src/transactions/ordering'
import { alice, bob, hot, testBlockchain } from './harness'
import { testLedger } from './ledger'
import { participantId, participants } from './paying'

/** As they were stored before. */
const oldTransfers = table('transfers', {
  id: text().notNull(),
  network: text().notNull(),
  txHash: text().notNull(),
  logIndex: integer().notNull(),
  status: text().notNull(),
  accountId: text(),
  fromAddress: text().notNull(),
  toAddress: text().notNull(),
  fromKey: text().notNull(),
  toKey: text().notNull(),
  amount: money().notNull(),
  decimals: integer(),
  block: integer().notNull(),
  blockHash: text().notNull(),
  at: timestamp().notNull(),
})
const oldOrders = table('transactions', {
  id: text().notNull(),
  type: text().notNull(),
  transactionId: text().notNull(),
  participantId: text().notNull(),
  accountId: text().notNull(),
  network: text().notNull(),
  currency: text().notNull(),
  amount: text().notNull(),
  decimals: integer().notNull(),
  destinationAddress: text().notNull(),
  status: text().notNull(),
  dueAt: timestamp(),
  createdAt: timestamp().notNull(),
  updatedAt: timestamp().notNull(),
})

test('what came from this deployment is no deposit afterwards; what was sent for an order still tells of it', async () => {
  const dataDir = tempDir()
  const at = new Date(0)
  const old = await openStore({
    service: 'blockchain',
    file: join(dataDir, 'blockchain.sqlite'),
    migrations: migrationsUntil(migrations, '0001_open_sends'),
  })
  const order = (id: string, status: string, dueAt: Date | null) => ({
    id,
    type: 'transfer',
    transactionId: `name of ${id}`,
    participantId,
    accountId: 'a',
    network: 'ethereum',
    currency: 'ETH',
    amount: '1',
    decimals: 18,
    destinationAddress: bob,
    status,
    dueAt,
    createdAt: at,
    updatedAt: at,
  })
  const [sent, lost] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
  await old.commit(async (tx) => {
    const parties = { fromAddress: bob, toAddress: alice, fromKey: bob, toKey: alice }
    const place = { network: 'ethereum', logIndex: 0, block: 1, blockHash: 'x', at, decimals: 18, amount: 1n }
    await tx.insert(oldTransfers).values({ id: '1', txHash: '0x1', status: 'internal', ...parties, ...place })
    // The answer to the second was lost: the wallet service has had it sent all the same.
    await tx.insert(oldOrders).values([order(sent, 'ordered', null), order(lost, 'new', at)])
  })
  await old.close()
  const ledger = testLedger()
  const participant = localServer(participants)
  const urls = { 'core-ledger': ledger.server.url, participant: participant.url }
  const service = await testBlockchain({ dataDir, urls, workers: false })
  const { body } = await service.get(`/addresses/${alice}/transactions`)
  expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['earlier'])
  for (const id of [sent, lost]) await service.send({ id, from: hot })
  const ordering = startOrdering(service.deps)
  await ordering.wake()
  const as = await service.asParticipant(participantId)
  for (const id of [sent, lost]) {
    const answer = await service.post('/transactions/reference/transfer', { transactionId: `name of ${id}` }, as)
    expect(answer.body).toMatchObject({ id, status: 'pending' })
  }
  expect([...ledger.came.keys()]).toEqual([])
  await ordering.stop()
  await service.stop()
  await ledger.server.stop()
  await participant.stop()
})
