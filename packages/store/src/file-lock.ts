import { Database } from 'bun:sqlite'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { FileLockedError } from './errors'

/** The right of one process to a file or folder. */
export interface FileLock {
  release(): void
}

const isBusy = (error: unknown): boolean => String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')

/**
 * Takes `<path>.lock`, a small SQLite file, and keeps a write transaction open on it: the operating system ends that
 * with the process, however it dies, so that no lock is ever left behind (a file with a process id in it would be).
 * Throws FileLockedError, which names `what` is locked, its path and the process that holds it.
 */
export function lockFile(path: string, what: string): FileLock {
  const file = `${resolve(path)}.lock`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  const database = new Database(file, { readwrite: true, create: true })
  const holder = `${process.pid} ${crypto.randomUUID()}`
  try {
    // Of several that start at once, those that will be refused wait until the winner's name can be read.
    database.run('PRAGMA busy_timeout = 500')
    database.run('PRAGMA synchronous = OFF')
    while (!hold(database, holder)) sign(database, holder)
  } catch (error) {
    const pid = isBusy(error) ? holderOf(database)?.split(' ')[0] : undefined
    database.close()
    if (!isBusy(error)) throw error
    const who = pid === String(process.pid) ? 'this process already' : `process ${pid ?? 'unknown'}`
    throw new FileLockedError(
      `${what} ${resolve(path)} is in use by ${who}: stop that one first, or set DATA_DIR to another folder.`,
    )
  }
  return { release: () => database.close() }
}

/** Begins the transaction that is the lock; false, and none is open, when others would read another holder's name. */
function hold(database: Database, holder: string): boolean {
  database.run('BEGIN IMMEDIATE')
  if (holderOf(database) === holder) return true
  database.run('ROLLBACK')
  return false
}

/** Writes who is about to hold it, for those who are refused: they can read what was committed before the lock. */
function sign(database: Database, holder: string): void {
  database.run('BEGIN IMMEDIATE')
  database.run('CREATE TABLE IF NOT EXISTS holder (name TEXT NOT NULL)')
  database.run('DELETE FROM holder')
  database.run('INSERT INTO holder (name) VALUES (?)', [holder])
  database.run('COMMIT')
}

function holderOf(database: Database): string | undefined {
  try {
    return database.query<{ name: string }, []>('SELECT name FROM holder').get()?.name
  } catch {
    // The table is not there yet, or is being written this moment.
    return undefined
  }
}
