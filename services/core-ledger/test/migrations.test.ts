import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq, openStore, type Store } from '@bursar/store'
import { integer, money, table as sqliteTable, text, timestamp } from '@bursar/store/schema'
import { migrationsUntil, tempDir } from '@bursar/testing'
import { assetTerms } from '../src/assets/asset-terms.table'
import { assets } from '../src/assets/assets.table'
import { auditAll } from '../src/bookkeeping/audit'
import { auditAssets } from '../src/bookkeeping/audit-assets'
import { systemBalances } from '../src/bookkeeping/balances.table'
import { journal } from '../src/bookkeeping/journal.table'
import { sealBlock } from '../src/bookkeeping/seal-journal'
import { seals } from '../src/bookkeeping/seals.table'
import { failedWithdrawals, work } from '../src/execution/work.table'
import { migrations } from '../src/service'
import { recordSeen } from '../src/transactions/create-deposit'
import { transactions } from '../src/transactions/transactions.table'

const hash = 'Ab'.repeat(32)
const folded = 'ab'.repeat(32)
const at = new Date(0)

const asset = (id: string, network: string) => ({
  id,
  code: id,
  name: id,
  network,
  contractAddress: '0xA0b8',
  decimals: 6,
  metadata: {},
  used: true,
  createdAt: at,
  updatedAt: at,
})
const oldTransactions = sqliteTable('transactions', {
  id: text().primaryKey(),
  customerId: text().notNull(),
  accountId: text().notNull(),
  assetId: text().notNull(),
  type: text().notNull(),
  status: text().notNull(),
  amount: money().notNull(),
  network: text().notNull(),
  txHash: text(),
  logIndex: integer(),
  sourceAddress: text(),
  createdAt: timestamp().notNull(),
  updatedAt: timestamp().notNull(),
})
/** As they were stored before: no terms, no key, networks and hashes as they were written. */
const transaction = (id: string, network: string, txHash: string | null, fields: object = {}) => ({
  id,
  customerId: '',
  accountId: 'a',
  assetId: 'usdc',
  type: 'DEPOSIT' as const,
  status: 'PENDING' as const,
  amount: 1n,
  network,
  txHash,
  logIndex: 0,
  createdAt: at,
  updatedAt: at,
  ...fields,
})

/** A database of the version before, filled, and then brought up to date. */
async function migrated(fill: (store: Store) => Promise<unknown>): Promise<Store & { close(): Promise<void> }> {
  const file = join(tempDir(), 'core.sqlite')
  const old = await openStore({
    service: 'core-ledger',
    file,
    migrations: migrationsUntil(migrations, '0003_terms_transfer_keys_and_failures'),
  })
  await fill(old)
  await old.close()
  return await openStore({ service: 'core-ledger', file, migrations })
}

test('what is stored takes the normal forms, and the terms of its asset', async () => {
  const store = await migrated((old) =>
    old.commit(async (tx) => {
      await tx.insert(assets).values([asset('usdc', ' Ethereum'), asset('sol', 'Solana Devnet')])
      await tx
        .insert(oldTransactions)
        .values([
          transaction('1', 'Ethereum', hash),
          transaction('2', 'ethereum ', `0x${folded}`),
          transaction('3', 'ETHEREUM', `0x${folded}`, { logIndex: 1 }),
          transaction('4', 'Solana Devnet', hash, { assetId: 'sol' }),
          transaction('5', 'bitcoin', `0X${hash}`),
          transaction('6', 'Tron', hash),
          transaction('7', 'mynet', 'Ref-1'),
          transaction('8', 'mynet', hash, { type: 'WITHDRAWAL', logIndex: null }),
          transaction('9', 'mynet', null, { type: 'WITHDRAWAL', logIndex: null }),
        ])
    }),
  )
  const rows = await store.read.select().from(transactions).orderBy(transactions.id)
  expect(rows.map(({ txHash, transferKey }) => [txHash, transferKey])).toEqual([
    [`0x${folded}`, `ethereum 0x${folded} 0`],
    [`0x${folded}`, `ethereum 0x${folded} 0 copy 2`],
    [`0x${folded}`, `ethereum 0x${folded} 1`],
    [hash, `solana devnet ${hash} 0`],
    [folded, `bitcoin ${folded} 0`],
    [folded, `tron ${folded} 0`],
    ['Ref-1', 'mynet Ref-1 0'],
    [`0x${folded}`, null],
    [null, null],
  ])
  expect(rows.every(({ assetCode, decimals, contractAddress }) => assetCode && decimals === 6 && contractAddress)).toBe(
    true,
  )
  expect(rows.map(({ network }) => network).slice(0, 2)).toEqual(['Ethereum', 'ethereum '])
  expect((await store.read.select().from(assets)).map(({ network }) => network)).toEqual(['ethereum', 'solana devnet'])
  await store.close()
})

test('a deposit that was stored in another form is known', async () => {
  const store = await migrated((old) =>
    old.commit(async (tx) => {
      await tx.insert(assets).values(asset('usdc', 'Ethereum'))
      await tx.insert(oldTransactions).values(transaction('1', 'Ethereum', hash, { sourceAddress: '0xABc' }))
    }),
  )
  const [row] = await store.read.select().from(assets).where(eq(assets.id, 'usdc'))
  if (!row) throw new Error('The asset is gone')
  const terms = {
    accountId: 'a',
    accountType: 'STABLECOINS',
    customerId: '',
    participantId: null,
    inactive: null,
    asset: row,
    holding: { available: 0n, frozen: 0n },
  }
  const transfer = { amount: 1n, sourceAddress: '0xabc', txHash: `0x${folded}`, logIndex: 0, confirmedAt: at }
  const { deposit, isNew } = await store.commit((tx) => recordSeen(tx, terms, transfer))
  expect([isNew, deposit.id]).toEqual([false, '1'])
  await store.close()
})

test('what was tried before counts as ordered, and every failed withdrawal is asked about once more', async () => {
  const store = await migrated((old) =>
    old.commit(async (tx) => {
      const job = { lane: 'chain' as const, dueAt: at, attempts: 0, createdAt: at }
      await tx.insert(work).values([
        { ...job, transactionId: 'tried', attempts: 1 },
        { ...job, transactionId: 'new' },
        { ...job, transactionId: 'deposit', lane: 'ledger' as const, attempts: 1 },
      ])
      await tx.insert(assets).values(asset('usdc', 'mynet'))
      await tx
        .insert(oldTransactions)
        .values([
          transaction('failed', 'mynet', null, { type: 'WITHDRAWAL', status: 'FAILED', logIndex: null }),
          transaction('done', 'mynet', 'x', { type: 'WITHDRAWAL', status: 'COMPLETED', logIndex: null }),
        ])
    }),
  )
  const jobs = await store.read.select().from(work).orderBy(work.transactionId)
  expect(jobs.map(({ transactionId, orderedAt }) => [transactionId, orderedAt])).toEqual([
    ['deposit', null],
    ['new', null],
    ['tried', at],
  ])
  expect(await store.read.select().from(failedWithdrawals)).toEqual([
    { transactionId: 'failed', dueAt: at, contradiction: null },
  ])
  await store.close()
})

test('blocks that were sealed before keep their form, and new ones are chained to them', async () => {
  const entry = (seq: number, transactionId: string) => ({
    seq,
    transactionId,
    kind: 'arrival' as const,
    assetId: 'usdc',
    debit: 'world:mynet' as const,
    credit: 'suspense:mynet' as const,
    amount: 1n,
    createdAt: at,
  })
  /** As it was written before: SHA-256 over the seal before it and each entry. */
  const oldHash = (previous: string, of: ReturnType<typeof entry>) => {
    const fields = [of.seq, of.transactionId, of.kind, of.assetId, of.debit, of.credit, '1', 0]
    return new Bun.CryptoHasher('sha256').update(`${previous}\n${JSON.stringify(fields)}`).digest('hex')
  }
  const first = oldHash('0'.repeat(64), entry(1, '1'))
  const oldSeals = sqliteTable('seals', {
    lastSeq: integer().primaryKey(),
    entries: integer().notNull(),
    hash: text().notNull(),
    sealedAt: integer().notNull(),
  })
  const store = await migrated((old) =>
    old.commit(async (tx) => {
      await tx.insert(assets).values(asset('usdc', 'mynet'))
      await tx.insert(oldTransactions).values(['1', '2', '3'].map((id) => transaction(id, 'mynet', `hash ${id}`)))
      await tx.insert(journal).values([entry(1, '1'), entry(2, '2'), entry(3, '3')])
      await tx.insert(systemBalances).values([
        { name: 'world:mynet', assetId: 'usdc', amount: -3n },
        { name: 'suspense:mynet', assetId: 'usdc', amount: 3n },
      ])
      await tx.insert(oldSeals).values([
        { lastSeq: 1, entries: 1, hash: first, sealedAt: 5 },
        { lastSeq: 2, entries: 1, hash: oldHash(first, entry(2, '2')), sealedAt: 6 },
      ])
    }),
  )
  expect(await store.commit((tx) => sealBlock(tx))).toBe(1)
  const rows = await store.read.select().from(seals).orderBy(seals.number)
  expect(rows.map(({ number, form, lastSeq, entries }) => [number, form, lastSeq, entries])).toEqual([
    [1, 1, 1, 1],
    [2, 1, 2, 1],
    [3, 3, 3, 1],
  ])
  expect(await auditAll(store.read)).toMatchObject({ entries: 3, sealed: 3, transactions: 3 })
  for (const seq of [1, 2, 3]) {
    const change = { createdAt: new Date(7) }
    await store.commit(async (tx) => void (await tx.update(journal).set(change).where(eq(journal.seq, seq))))
    await expect(auditAll(store.read)).rejects.toThrow(`entries ${seq} to ${seq}`)
    await store.commit(async (tx) => void (await tx.update(journal).set({ createdAt: at }).where(eq(journal.seq, seq))))
  }
  await store.close()
})

test('what assets are now is noted of them, and the audit agrees', async () => {
  const store = await migrated((old) =>
    old.commit(
      async (tx) => void (await tx.insert(assets).values([asset('usdc', 'ethereum'), asset('eurc', 'ethereum')])),
    ),
  )
  const noted = await store.read.select().from(assetTerms).orderBy(assetTerms.seq)
  const { seq, at: since, ...terms } = noted[0] ?? {}
  expect(noted.map(({ assetId }) => assetId)).toEqual(['eurc', 'usdc'])
  const { code, decimals, network, contractAddress } = asset('eurc', 'ethereum')
  expect(terms).toEqual({ assetId: 'eurc', code, decimals, network, contractAddress, deletedAt: null })
  await auditAssets(store.read)
  await store.close()
})
