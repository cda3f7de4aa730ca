import { Database } from 'bun:sqlite'
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { createHealthTable } from './health-probe'
import { migrate } from './migrate'

export const waitForLocks = 'PRAGMA busy_timeout = 5000'
const shared = [waitForLocks, 'PRAGMA temp_store = MEMORY', 'PRAGMA mmap_size = 268435456']

/**
 * Opens the writing connection, creates the file if needed (readable by its owner only) and migrates it. With
 * `synchronous = NORMAL` a COMMIT writes to the log (WAL) without syncing it, and leaves checkpoints to others: see
 * write-ahead-log.ts.
 */
export function openWriter(file: string, migrations: string): Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // SQLite gives its -wal and -shm files the mode of the main one. A file that exists is not opened here: closing it would
  // drop the locks that another connection of this process holds.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  const database = new Database(file, { readwrite: true, create: true })
  try {
    const pragmas = [
      ...shared,
      'PRAGMA journal_mode = WAL',
      'PRAGMA synchronous = FULL',
      'PRAGMA cache_size = -16384',
      'PRAGMA wal_autocheckpoint = 0',
      'PRAGMA journal_size_limit = 67108864',
      'PRAGMA foreign_keys = OFF',
    ]
    for (const pragma of pragmas) database.run(pragma)
    migrate(database, migrations)
    createHealthTable(database)
    foldLog(database)
    database.run('PRAGMA synchronous = NORMAL')
    database.run('PRAGMA foreign_keys = ON')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Folds the log that a killed process left into the file, as far as no reader of another process holds it. That makes
 * it safe even if the last sync failed. On a full disk it stays in the log.
 */
function foldLog(database: Database) {
  try {
    database.run('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // The log is synced before anything is read from it.
  }
}

/** Opens the reading connection. A connection of its own never sees a batch that is not committed. */
export function openReader(file: string): Database {
  const database = new Database(file, { readonly: true })
  for (const pragma of [...shared, 'PRAGMA cache_size = -8192', 'PRAGMA query_only = ON']) database.run(pragma)
  return database
}
