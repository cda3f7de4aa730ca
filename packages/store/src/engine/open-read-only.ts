import { existsSync } from 'node:fs'
import { connect, type Db } from '../statements/statements'
import { openReader } from './connections'

/** A service's database, a file or on a server, for reading only. */
export interface Reading {
  readonly read: Db
  /** Runs the body with reads of one state. One at a time, and nothing else is read meanwhile. */
  snapshot<T>(body: (db: Db) => Promise<T>): Promise<T>
  /** The rows of a query, for a person. Throws unless it is a query. */
  rows(sql: string): Promise<Record<string, unknown>[]>
  /** The names of its tables; none where there is no such schema. */
  tables(): Promise<string[]>
  close(): Promise<void>
}

/** A service's database in a file. Throws when there is none. */
export function readFile(file: string): Reading {
  const database = openReadOnly(file)
  const names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
  return {
    read: database.read,
    snapshot: database.snapshot,
    rows: async (sql) => database.rows(sql),
    tables: async () => database.rows(names).map(({ name }) => String(name)),
    close: async () => database.close(),
  }
}

/** The same, for tests that read it at once. */
export function openReadOnly(file: string) {
  if (!existsSync(file)) throw new Error(`There is no database at ${file}`)
  const reader = openReader(file)
  const read = connect(reader)
  return {
    read,
    async snapshot<T>(body: (db: Db) => Promise<T>): Promise<T> {
      reader.run('BEGIN')
      try {
        return await body(read)
      } finally {
        reader.run('COMMIT')
      }
    },
    rows: (sql: string) => reader.prepare<Record<string, unknown>, []>(sql).all(),
    close: () => reader.close(),
  }
}
