import { expect, test } from 'bun:test'
import { asc, eq, type SQL, sql, type Tx } from '@bursar/store'
import { arrivals } from '@bursar/store/schema'
import { auditChain } from '../src/audit/audit-chain'
import { AuditDifference } from '../src/audit/audit-difference'
import { journal } from '../src/ledger/journal.table'
import { indexedUntil, indexNext } from '../src/movements/index-keys'
import { beginning, sealOver } from '../src/seals/block-hash'
import { readBlock } from '../src/seals/read-block'
import { lastSeal } from '../src/seals/read-journal'
import { sealJournal } from '../src/seals/seal-journal'
import { seals } from '../src/seals/seals.table'
import { type Ledger, openLedger } from './harness'
import { type Bench, depositOf, make, makeBench, withdrawalOf } from './steps'

/** How many entries the chain covers, or what is wrong with it. */
async function chainOf({ store }: Ledger): Promise<number | string> {
  let entries = 0
  try {
    for await (const some of auditChain(store.read)) entries += some
    return entries
  } catch (error) {
    if (error instanceof AuditDifference) return error.message
    throw error
  }
}

const run = (tx: Tx, statement: SQL) => (tx as unknown as { run(statement: SQL): unknown }).run(statement)

/** As if a transaction that was given the lower number `seq` committed now. */
async function depositLate(ledger: Ledger, bench: Bench, seq: number, reference: string): Promise<void> {
  const { id } = await make(ledger, 'deposit', depositOf(bench, '1', { reference }))
  await ledger.store.commit(async (tx) => {
    await tx.update(journal).set({ seq }).where(eq(journal.transactionId, id))
    await tx.update(arrivals).set({ rows: { entries: [[seq, seq]] } })
  })
}

/** A ledger whose first entries are sealed; the numbers 4 to 9 are given, and not committed. */
async function ledgerWithGap() {
  const ledger = await openLedger()
  const bench = await makeBench(ledger, '5')
  await sealJournal(ledger.deps)
  await ledger.store.commit(async (tx) => void run(tx, sql`update sqlite_sequence set seq = 9 where name = 'journal'`))
  await make(ledger, 'deposit', depositOf(bench, '1', { reference: 'early' }))
  return { ledger, bench }
}

test('an entry that is committed late, under a lower number, is sealed and indexed as any other', async () => {
  const { ledger, bench } = await ledgerWithGap()
  await sealJournal(ledger.deps)
  while ((await indexNext(ledger.store)) > 0);
  const before = await lastSeal(ledger.store.read)
  await depositLate(ledger, bench, 5, 'late')
  expect(await indexedUntil(ledger.store.read)).toBe(4)
  await sealJournal(ledger.deps)
  expect(await lastSeal(ledger.store.read)).toMatchObject({
    number: (before?.number ?? 0) + 1,
    entries: 1,
    lastSeq: 10,
    ranges: { entries: [[5, 5]] },
  })
  expect(await indexedUntil(ledger.store.read)).toBe(4)
  while ((await indexNext(ledger.store)) > 0);
  expect(await indexedUntil(ledger.store.read)).toBe(10)
  expect(await ledger.ask('GET', '/transactions?reference=late')).toMatchObject({ body: [{ reference: 'late' }] })
  expect(await chainOf(ledger)).toBe(4)
  await ledger.close()
})

test('an entry that is put between sealed ones is in no seal', async () => {
  const { ledger } = await ledgerWithGap()
  await sealJournal(ledger.deps)
  const [entry] = await ledger.store.read.select().from(journal).limit(1)
  await ledger.store.commit(
    async (tx) =>
      void (await tx.insert(journal).values({ ...(entry as never as object), seq: 6, kind: 'fee' } as never)),
  )
  expect(await chainOf(ledger)).toBe(
    'Hash chain: number 6 of the journal is in no seal, and is not listed to be sealed',
  )
  await ledger.close()
})

test('an entry is sealed once', async () => {
  const { ledger } = await ledgerWithGap()
  await sealJournal(ledger.deps)
  await ledger.store.commit(async (tx) => {
    const last = await lastSeal(tx)
    if (!last) throw new Error('Nothing is sealed')
    const ranges = { entries: [[2, 2]] as const, keys: [], decisions: [], assets: [] }
    const again = { ...last, number: last.number + 1, ranges }
    await tx.insert(seals).values(sealOver(await readBlock(tx, ranges, 9), again, last.hash))
  })
  expect(await chainOf(ledger)).toStartWith('Hash chain: entries 2 to 2, their transactions')
  await ledger.close()
})

test('seals of all forms are read, and each notices what it covers', async () => {
  const ledger = await openLedger()
  const bench = await makeBench(ledger, '50')
  for (const amount of ['1', '2', '3']) await make(ledger, 'withdrawal', withdrawalOf(bench, amount))
  await sealJournal(ledger.deps)
  const newest = await lastSeal(ledger.store.read)
  const assets = newest?.assets ?? 0
  // The first entries as earlier releases sealed them, the last ones as this one does.
  await ledger.store.commit(async (tx) => {
    await tx.delete(seals)
    let previous = beginning
    for (const [i, form] of ([1, 2, 3, 4] as const).entries()) {
      const seq = i + 1
      const isLast = form === 4
      const ranges = {
        entries: [[seq, isLast ? (newest?.lastSeq ?? 0) : seq]] as const,
        keys: [],
        decisions: [],
        assets: form === 3 ? ([[1, assets]] as const) : [],
      }
      const at = {
        form,
        number: seq,
        ranges: isLast ? ranges : null,
        lastSeq: ranges.entries[0][1],
        lastKey: 0,
        lastDecision: 0,
        lastAsset: form === 3 ? assets : 0,
        sealedAt: new Date(seq),
      }
      const seal = sealOver(await readBlock(tx, ranges, 99), at, previous.hash)
      await tx.insert(seals).values(seal)
      previous = seal
    }
  })
  expect(await chainOf(ledger)).toBe(newest?.entries ?? 0)
  const entries = await ledger.store.read.select().from(journal).orderBy(asc(journal.seq))
  for (const { seq, amount } of entries) {
    const set = (value: bigint) =>
      ledger.store.commit(
        async (tx) => void (await tx.update(journal).set({ amount: value }).where(eq(journal.seq, seq))),
      )
    await set(amount + 1n)
    expect(await chainOf(ledger)).toStartWith(`Hash chain: entries ${Math.min(seq, 4)} to `)
    await set(amount)
  }
  expect(await chainOf(ledger)).toBe(newest?.entries ?? 0)
  await ledger.close()
})
