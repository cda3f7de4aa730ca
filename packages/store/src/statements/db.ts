import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'

/** What queries are built from: only Drizzle's builders, so that the same code runs on another database. */
export type Db = Pick<
  BunSQLiteDatabase,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | '$count' | 'with' | '$with'
>

declare const insideCommit: unique symbol

/** A `Db` inside a commit. A function that writes takes a `Tx`; `store.read` is not one. */
export type Tx = Db & { readonly [insideCommit]: true }
