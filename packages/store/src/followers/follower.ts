import type { SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Ranges } from '../schema/shared.table'
import type { Db, Tx } from '../statements/statements'

/** Numbers of rows, by kind. */
export type Arrived<K extends string> = Record<K, Ranges>

/** Kinds of rows that somebody follows. */
export interface Followed<K extends string> {
  readonly name: string
  /** Tells of rows that this commit adds. To be called by each commit that adds one. */
  note(tx: Tx, kind: K, numbers: readonly number[]): void
}

/** Where the rows of a kind are. */
export interface Source {
  /** Their numbers, which the database gives. */
  readonly number: SQLiteColumn
  /** Which of the table's rows are followed; without it all are, and none of them is ever deleted. */
  readonly only?: SQL | undefined
}

/** What goes through the rows of some kinds, each once. */
export interface Follower<K extends string> {
  /** The oldest rows that it has not acted on, at most so many. To be called in the commit of its work. */
  take(tx: Tx, most: number): Promise<Arrived<K>>
  /** All rows that it has not acted on. */
  waiting(db: Db): Promise<Arrived<K>>
  /** By kind, the highest number of the rows that it has acted on; 0 for none. They must still be there. */
  highest(db: Db): Promise<Record<K, number>>
  /** A number that grows as it acts on rows; null while there are none that it has not acted on. */
  oldest(db: Db): Promise<number | null>
}
