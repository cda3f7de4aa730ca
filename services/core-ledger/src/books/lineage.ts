import { type Db, eq, param, params, prepared, type Tx } from '@bursar/store'
import { meta } from '@bursar/store/schema'

/** Which books these are. */
export interface Lineage {
  books: string
  /** Whose place they took by NEW_BOOKS=yes; null when they are the first. */
  before: string | null
}

const names = { books: 'books', before: 'books_before' } as const

/** The lineage of a database; undefined before its first start with one. */
export async function lineageOf(db: Db): Promise<Lineage | undefined> {
  const [own] = await entryOf(db).execute({ key: names.books })
  const [before] = await entryOf(db).execute({ key: names.before })
  return own && { books: own.value, before: before?.value ?? null }
}

/** The same; a database that has none gets one. */
export async function ensureLineage(tx: Tx): Promise<Lineage> {
  return (await lineageOf(tx)) ?? (await newLineage(tx, null))
}

/** New books from here on, in place of those of `before`. */
export async function newLineage(tx: Tx, before: string | null): Promise<Lineage> {
  const books = Bun.randomUUIDv7()
  await putValue(tx).execute({ key: names.books, value: books })
  if (before !== null) await putValue(tx).execute({ key: names.before, value: before })
  return { books, before }
}

const entryOf = prepared((db) =>
  db
    .select({ value: meta.value })
    .from(meta)
    .where(eq(meta.key, param('key'))),
)
const putValue = prepared((db) =>
  db
    .insert(meta)
    .values(params(meta))
    .onConflictDoUpdate({ target: meta.key, set: { value: param('value') } }),
)
