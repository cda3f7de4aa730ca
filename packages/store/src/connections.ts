import { Database } from 'bun:sqlite'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { migrate } from './migrate'

const shared = ['PRAGMA busy_timeout = 5000', 'PRAGMA temp_store = MEMORY', 'PRAGMA mmap_size = 268435456']

/**
 * Opens the writing connection, makes the file where there is none (for its owner alone) and migrates it.
 * A commit is on the disk when it is answered: WAL with `synchronous = FULL`.
 */
export function openWriter(file: string, migrations: string): Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // SQLite gives its -wal and -shm files the mode of the main one.
  closeSync(openSync(file, 'a', 0o600))
  const database = new Database(file, { readwrite: true, create: true })
  try {
    const pragmas = [
      ...shared,
      'PRAGMA journal_mode = WAL',
      'PRAGMA synchronous = FULL',
      'PRAGMA cache_size = -16384',
      'PRAGMA wal_autocheckpoint = 4000',
      'PRAGMA journal_size_limit = 67108864',
      'PRAGMA foreign_keys = OFF',
    ]
    for (const pragma of pragmas) database.run(pragma)
    migrate(database, migrations)
    database.run('PRAGMA foreign_keys = ON')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Opens the reading connection. A connection of its own never sees a batch that is not committed. */
export function openReader(file: string): Database {
  const database = new Database(file, { readonly: true })
  for (const pragma of [...shared, 'PRAGMA cache_size = -8192', 'PRAGMA query_only = ON']) database.run(pragma)
  return database
}
