import { type Db, metaValue, newId, putMetaValue, type Tx } from '@bursar/store'

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
