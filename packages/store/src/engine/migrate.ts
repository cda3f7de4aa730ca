import type { Database } from 'bun:sqlite'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { MigrationError } from './errors'

interface Violation {
  table: string
  rowid: number | null
  parent: string
}

/**
 * Brings the file up to the newest of drizzle-kit's migrations in `folder`, all or nothing. Keeps Drizzle's own books
 * (`__drizzle_migrations`), but not its migrator, which commits before foreign keys can be checked.
 *
 * Foreign keys must be off on this connection: rebuilding a table with them on deletes its cascading children.
 * Throws a MigrationError and leaves the file as it was when a migration fails or orphans a row.
 */
export function migrate(database: Database, folder: string): void {
  const migrations = readMigrationFiles({ migrationsFolder: folder })
  database.run('BEGIN IMMEDIATE')
  try {
    const applied = lastApplied(database)
    const missing = migrations.filter((migration) => migration.folderMillis > applied)
    for (const migration of missing) {
      for (const statement of migration.sql) database.run(statement)
      database.run('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)', [
        migration.hash,
        migration.folderMillis,
      ])
    }
    if (missing.length > 0) checkForeignKeys(database)
    database.run('COMMIT')
  } catch (cause) {
    if (database.inTransaction) database.run('ROLLBACK')
    if (cause instanceof MigrationError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new MigrationError(`The migrations in ${folder} could not be applied: ${reason}`, { cause })
  }
}

/** When the newest applied migration was made, in milliseconds since 1970; 0 for a new file. */
function lastApplied(database: Database): number {
  database.run(
    'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
  )
  const row = database
    .query<{ last: number | null }, []>('SELECT max(created_at) AS last FROM __drizzle_migrations')
    .get()
  return row?.last ?? 0
}

function checkForeignKeys(database: Database): void {
  const violations = database.query<Violation, []>('PRAGMA foreign_key_check').all()
  const [first] = violations
  if (!first) return
  throw new MigrationError(
    `The migrations leave ${violations.length} row(s) without a parent, the first in ${first.table} ` +
      `(row ${first.rowid}, parent table ${first.parent}). The database was left as it was.`,
  )
}
