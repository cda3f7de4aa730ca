// A service's database file, read only.
import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { MigrationError } from '../engine/errors'
import { requireKnown } from '../engine/migrate'

export type Stored = string | number | bigint | Uint8Array | null

export type Source = ReturnType<typeof openSource>

/** Opens the present state: later writes are not seen. Throws if there is no file. */
export function openSource(file: string) {
  if (!existsSync(file)) throw new Error(`There is no database at ${file}`)
  // Numbers may be higher than those that JavaScript holds exactly.
  const database = new Database(file, { readonly: true, safeIntegers: true })
  database.run('PRAGMA query_only = ON')
  database.run('BEGIN')
  const values = (sql: string, ...bound: Stored[]) => database.query(sql).values(...bound) as Stored[][]
  /** The columns that order the rows: not all tables have a rowid. */
  function keyOf(table: string): string[] {
    const [[isInOneTree] = []] = values('SELECT wr FROM pragma_table_list(?)', table)
    if (Number(isInOneTree) === 0) return ['rowid']
    return values('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk', table).map(([name]) => `"${name}"`)
  }
  const isThere = (table: string) => values('SELECT 1 FROM sqlite_schema WHERE name = ?', table).length > 0

  return {
    /** The names of its tables, without SQLite's own. */
    tables: () =>
      values("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").map(
        ([name]) => String(name),
      ),
    columns: (table: string) => values('SELECT name FROM pragma_table_info(?)', table).map(([name]) => String(name)),
    count: (table: string) => Number(values(`SELECT count(*) FROM "${table}"`)[0]?.[0]),
    /** The values of these columns of all rows, in order of insertion, at most `most` rows at a time. */
    *rows(table: string, columns: readonly string[], most: number) {
      const key = keyOf(table)
      const select = `SELECT ${[...key, ...columns.map((name) => `"${name}"`)]} FROM "${table}"`
      const after = `WHERE (${key}) > (${key.map(() => '?')})`
      for (let place: Stored[] = []; ; ) {
        const where = place.length > 0 ? after : ''
        const found = values(`${select} ${where} ORDER BY ${key} LIMIT ${most}`, ...place)
        const last = found.at(-1)
        if (!last) return
        place = last.slice(0, key.length)
        yield found.map((row) => row.slice(key.length))
      }
    },
    /** The highest number ever assigned to a row of the table; 0 for none. */
    given: (table: string) =>
      isThere('sqlite_sequence')
        ? Number(values('SELECT seq FROM sqlite_sequence WHERE name = ?', table)[0]?.[0] ?? 0)
        : 0,
    /** A value of the database's metadata. */
    note: (key: string) => values('SELECT value FROM meta WHERE key = ?', key)[0]?.[0] as string | undefined,
    /** Throws MigrationError unless the file is of this release: it has exactly the migrations in the folder. */
    requireNewest(folder: string) {
      const migrations = readMigrationFiles({ migrationsFolder: folder })
      const applied = isThere('__drizzle_migrations')
        ? values('SELECT hash, created_at FROM __drizzle_migrations ORDER BY created_at')
        : []
      requireKnown(
        applied.map(([hash, madeAt]) => ({ hash: String(hash), madeAt: Number(madeAt) })),
        migrations,
        'DATA_DIR',
      )
      if (applied.length < migrations.length)
        throw new MigrationError(
          `${file} is of an older release. Start this one with the files once, which brings them up to date, and stop it.`,
        )
    },
    close: () => database.close(),
  }
}
