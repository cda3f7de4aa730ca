import { expect, test } from 'bun:test'
import type { LedgerHead } from '@bursar/contracts/ledger-seals'
import { createBooks } from '../src/reconciliation/books'
import { openLedger } from './harness'

test('NEW_BOOKS=yes counts for the first comparison of a start alone: another ledger that comes later closes the books', async () => {
  const ledger = await openLedger()
  const books = createBooks({ newBooks: true })
  let newest: LedgerHead | null = null
  const client = { ...ledger.deps.client, find: async () => newest as never }
  const compare = () => books.compare({ ...ledger.deps, client })
  await compare()
  expect(books.areClosed()).toBe(false)
  const sealedAt = '2026-01-01T00:00:00.000Z'
  newest = { v: 1, books: Bun.randomUUIDv7(), number: 3, lastSeq: 9, hash: 'ab'.repeat(32), sealedAt }
  await compare()
  expect(books.areClosed()).toBe(true)
  await ledger.close()
})
