import type { Database } from 'bun:sqlite'
import { messageOf } from '@bursar/contracts/log'
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
 * Throws a MigrationError and leaves the file as it was when a migration fails or orphans a row, or when the file was
 * migrated by a newer release or another checkout.
 */
export function migrate(database: Database, folder: string): void {
  const migrations = readMigrationFiles({ migrationsFolder: folder })
  database.run('BEGIN IMMEDIATE')
  try {
    const applied = appliedTo(database)
    requireKnown(applied, migrations, 'DATA_DIR')
    const missing = migrations.slice(applied.length)
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
    throw new MigrationError(`The migrations in ${folder} could not be applied: ${messageOf(cause)}`, { cause })
  }
}

interface Applied {
  hash: string
  /** When the migration was made, in milliseconds since 1970. */
  madeAt: number
}

/** The migrations that were applied to the file, the oldest first. */
function appliedTo(database: Database): Applied[] {
  database.run(
    'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
  )
  return database
    .query<Applied, []>('SELECT hash, created_at AS madeAt FROM __drizzle_migrations ORDER BY created_at')
    .all()
}

/** An older release on a newer database would miss columns, or write rows that the newer one does not expect. */
export function requireKnown(
  applied: readonly Applied[],
  migrations: readonly { hash: string; folderMillis: number }[],
  place: 'DATA_DIR' | 'schema',
): void {
  const unknown = applied.find(({ hash }, i) => hash !== migrations[i]?.hash)
  if (!unknown) return
  const newest = migrations.at(-1)?.folderMillis ?? 0
  throw new MigrationError(
    unknown.madeAt > newest
      ? 'The database is of a newer release. Start that release, or restore a backup from before the upgrade.'
      : `The database was made by other migrations than those of this release. Start the release that made it, or begin with an empty ${place}.`,
  )
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
