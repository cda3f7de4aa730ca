import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'

/** What a query may be built from: Drizzle's builders and no more, so that the same code can run on another database. */
export type Db = Pick<
  BunSQLiteDatabase,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | '$count' | 'with' | '$with'
>

declare const insideCommit: unique symbol

/** A `Db` inside a commit. A function that writes takes a `Tx`, and `store.read` is none. */
export type Tx = Db & { readonly [insideCommit]: true }
