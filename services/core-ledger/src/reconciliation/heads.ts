import { JournalSealed, type LedgerHead } from '@bursar/contracts/ledger-seals'
import { type Db, emit, metaValue, newId, putMetaValue, type Tx } from '@bursar/store'
import { genesis } from '../seals/block-hash'
import { lastSeal, sealAt } from '../seals/read-journal'

/**
 * Why a head is not of this ledger: this one is another or an empty one, an older copy, or a rewritten one. Null when
 * it is, or when this ledger replaced that one by NEW_BOOKS=yes.
 */
export async function differenceFrom(db: Db, head: LedgerHead): Promise<string | null> {
  const own = await lineageOf(db)
  if (own?.before === head.books) return null
  if (own?.books !== head.books) {
    return `The ledger has books ${own?.books ?? 'without a name'}; those that were sealed last are ${head.books}, up to entry ${head.lastSeq}`
  }
  if (head.number === 0) return null
  const seal = await sealAt(db, head.number)
  if (seal?.hash === head.hash) return null
  if (seal) return `The ledger was rewritten: entry ${head.lastSeq} was sealed with another hash at ${head.sealedAt}`
  const last = await lastSeal(db)
  return `The ledger is sealed up to entry ${last?.lastSeq ?? 0}; it was sealed up to entry ${head.lastSeq} at ${head.sealedAt}`
}

/** Sends the newest seal, with this ledger's lineage, to the log tracker and returns it. */
export async function emitHead(tx: Tx, now: Date): Promise<LedgerHead> {
  const { books } = await ensureLineage(tx)
  const seal = await lastSeal(tx)
  const { number = 0, lastSeq = 0, hash = genesis, sealedAt = now } = seal ?? {}
  const head: LedgerHead = { v: 1, books, number, lastSeq, hash, sealedAt: sealedAt.toISOString() }
  await emit(tx, JournalSealed, head, now)
  return head
}

export interface Lineage {
  books: string
  /** The books that these replaced by NEW_BOOKS=yes; null for the first ones. */
  before: string | null
}

const names = { books: 'books', before: 'books_before' } as const

/** The lineage of a database; undefined before its first start with one. */
export async function lineageOf(db: Db): Promise<Lineage | undefined> {
  const books = await metaValue(db, names.books)
  return books === undefined ? undefined : { books, before: (await metaValue(db, names.before)) ?? null }
}

/** The same; created if there is none. */
export async function ensureLineage(tx: Tx): Promise<Lineage> {
  return (await lineageOf(tx)) ?? (await newLineage(tx, null))
}

/** Starts new books, which replace `before`. */
export async function newLineage(tx: Tx, before: string | null): Promise<Lineage> {
  const books = newId()
  await putMetaValue(tx, names.books, books)
  if (before !== null) await putMetaValue(tx, names.before, before)
  return { books, before }
}
