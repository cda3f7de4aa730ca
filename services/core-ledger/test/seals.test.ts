import { expect, test } from 'bun:test'
import { asc, eq } from '@bursar/store'
import { auditChain } from '../src/audit/audit-chain'
import { AuditDifference } from '../src/audit/audit-difference'
import { journal } from '../src/ledger/journal.table'
import { journalHead } from '../src/ledger/journal-head'
import { indexedUntil, indexNext } from '../src/movements/index-keys'
import { beginning, sealOver } from '../src/seals/block-hash'
import { readBlock } from '../src/seals/read-block'
import { lastSeal } from '../src/seals/read-journal'
import { sealBlock, sealJournal } from '../src/seals/seal-journal'
import { seals } from '../src/seals/seals.table'
import { type Ledger, openLedger } from './harness'
import { depositOf, make, makeBench, withdrawalOf } from './steps'

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

/** A ledger of some entries, none of which is sealed. */
async function unsealedLedger() {
  const ledger = await openLedger()
  const bench = await makeBench(ledger, '5')
  for (const reference of ['one', 'two']) await make(ledger, 'deposit', depositOf(bench, '1', { reference }))
  return ledger
}

/** Adds a seal over these entries. */
const sealEntries = ({ store }: Ledger, entries: [number, number][]) =>
  store.commit(async (tx) => {
    const previous = (await lastSeal(tx)) ?? { ...beginning, number: 0 }
    const ranges = { entries, keys: [], decisions: [], assets: [] }
    const at = {
      form: 4 as const,
      number: previous.number + 1,
      ranges,
      lastSeq: Math.max(previous.lastSeq, entries.at(-1)?.[1] ?? 0),
      lastKey: 0,
      lastDecision: 0,
      lastAsset: 0,
      sealedAt: new Date(0),
    }
    await tx.insert(seals).values(sealOver(await readBlock(tx, ranges, 9), at, previous.hash))
  })

test('entries may be sealed in another order than that of their numbers', async () => {
  const ledger = await unsealedLedger()
  const head = await journalHead(ledger.store.read)
  await sealEntries(ledger, [[1, 1]])
  await sealEntries(ledger, [[3, head]])
  expect(await lastSeal(ledger.store.read)).toMatchObject({ lastSeq: head })
  await sealEntries(ledger, [[2, 2]])
  expect(await lastSeal(ledger.store.read)).toMatchObject({ lastSeq: head, entries: 1 })
  expect(await chainOf(ledger)).toBe(head)
  await ledger.close()
})

test('a sealing that is rolled back leaves no gap in the numbers of the seals', async () => {
  const ledger = await unsealedLedger()
  const undone = new Error('another transaction was faster')
  const sealing = ledger.store.commit(async (tx) => {
    await sealBlock(tx, new Date(0))
    throw undone
  })
  expect(await sealing.catch((error: unknown) => error)).toBe(undone)
  await sealJournal(ledger.deps)
  expect((await lastSeal(ledger.store.read))?.number).toBe(1)
  expect(await chainOf(ledger)).toBe(await journalHead(ledger.store.read))
  await ledger.close()
})

test('an entry below those that are sealed, and in no seal, was added past the ledger', async () => {
  const ledger = await unsealedLedger()
  await sealJournal(ledger.deps)
  const [entry] = await ledger.store.read.select().from(journal).limit(1)
  const added = { ...entry, seq: -6, kind: 'fee' } as unknown as typeof journal.$inferInsert
  await ledger.store.commit(async (tx) => void (await tx.insert(journal).values(added)))
  expect(await chainOf(ledger)).toBe(
    'Hash chain: number -6 of the journal is in no seal, and is not listed to be sealed',
  )
  await ledger.close()
})

test('an entry that is erased before it is sealed is missed', async () => {
  const ledger = await unsealedLedger()
  await ledger.store.commit(async (tx) => void (await tx.delete(journal).where(eq(journal.seq, 2))))
  await sealJournal(ledger.deps)
  expect(await chainOf(ledger)).toStartWith('Hash chain: entries 1 to ')
  await ledger.close()
})

test('the index follows the journal: of new entries it knows up to which they are indexed', async () => {
  const ledger = await unsealedLedger()
  const head = await journalHead(ledger.store.read)
  expect(await indexedUntil(ledger.store.read)).toBe(0)
  while ((await indexNext(ledger.store)) > 0);
  expect(await indexedUntil(ledger.store.read)).toBe(head)
  const bench = await makeBench(ledger, '5')
  await make(ledger, 'deposit', depositOf(bench, '1', { reference: 'late' }))
  expect(await indexedUntil(ledger.store.read)).toBe(head)
  expect(await ledger.ask('GET', '/transactions?reference=late')).toMatchObject({ body: [{ reference: 'late' }] })
  await ledger.close()
})

test('an entry is sealed once', async () => {
  const ledger = await unsealedLedger()
  await sealJournal(ledger.deps)
  await sealEntries(ledger, [[2, 2]])
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
