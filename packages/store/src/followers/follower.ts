import type { SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Ranges } from '../schema/shared.table'
import type { Db, Tx } from '../statements/statements'

/** Numbers of rows, by kind. */
export type Arrived<K extends string> = Record<K, Ranges>

/** Kinds of rows that a follower processes. */
export interface Followed<K extends string> {
  readonly name: string
  /** Announces rows that this commit adds. To be called by each commit that adds any. */
  note(tx: Tx, kind: K, numbers: readonly number[]): void
}

/** The table of a kind of rows. */
export interface Source {
  /** The column of their numbers, assigned by the database. */
  readonly number: SQLiteColumn
  /** Which of the table's rows are followed; without it all are, and none of them is ever deleted. */
  readonly only?: SQL | undefined
}

/** Processes the rows of some kinds, each once. */
export interface Follower<K extends string> {
  /** The oldest unprocessed rows, at most `most`. To be called in the commit that processes them. */
  take(tx: Tx, most: number): Promise<Arrived<K>>
  /** All unprocessed rows. */
  waiting(db: Db): Promise<Arrived<K>>
  /** By kind, the highest number of the processed rows, which must still exist; 0 for none. */
  highest(db: Db): Promise<Record<K, number>>
  /** A number that grows as rows are processed; null while none wait. */
  oldest(db: Db): Promise<number | null>
}
