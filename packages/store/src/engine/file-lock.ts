import { Database } from 'bun:sqlite'
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { FileLockedError } from './errors'
import { giveToOwner } from './on-disk'
import { requireRestored } from './unfinished-restore'

export { FileLockedError }

/** The right of one process to a file or folder. */
export interface FileLock {
  release(): void
}

/** The held locks: an unreferenced connection would be closed, and its lock lost. */
const held = new Set<Database>()

/**
 * Locks `<path>.lock`, an empty SQLite file, by a transaction that stays open. The operating system ends it with the
 * process, however it dies, so no lock is left behind; `<path>.pid` only names the holder. Throws FileLockedError,
 * whose message names `what` is locked, its path (`shown`, where the lock stands for something else) and that process; and
 * when a restore of the folder is unfinished, because every program locks a data folder's file before it creates or changes it.
 */
export function lockFile(path: string, what: string, shown?: string): FileLock {
  const lock = lockForRestore(path, what, shown)
  try {
    // Checked under the lock, so that no restore can begin afterwards; a running one has the lock, and is named
    // instead.
    requireRestored(dirname(resolve(path)))
    return lock
  } catch (error) {
    lock.release()
    throw error
  }
}

/** The same for a restore, which may repeat one that has not ended. */
export function lockForRestore(path: string, what: string, shown = path): FileLock {
  const file = resolve(path)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Not if it exists: closing it would drop a lock that this process holds on it.
  if (!existsSync(`${file}.lock`)) {
    closeSync(openSync(`${file}.lock`, 'a', 0o600))
    giveToOwner(`${file}.lock`)
  }
  const database = new Database(`${file}.lock`, { readwrite: true })
  try {
    database.run('PRAGMA busy_timeout = 0')
    // Nothing is ever written to it, and no journal file needs to lie beside it.
    database.run('PRAGMA journal_mode = MEMORY')
    database.run('BEGIN EXCLUSIVE')
    writeFileSync(`${file}.pid`, `${process.pid}\n`, { mode: 0o600 })
    giveToOwner(`${file}.pid`)
  } catch (error) {
    database.close()
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error
    throw new FileLockedError(
      `${what} ${resolve(shown)} is in use by ${nameOfHolder(file)}: stop that one first, or set DATA_DIR to another folder.`,
    )
  }
  held.add(database)
  return {
    release() {
      held.delete(database)
      rmSync(`${file}.pid`, { force: true })
      database.close()
    },
  }
}

/** The process that has a lock. */
export interface Holder {
  pid: number
  since: Date
}

/** The holder of `<path>.lock`; null for none. Never takes the lock itself. */
export function holderOf(path: string): Holder | null {
  const file = resolve(path)
  if (!existsSync(`${file}.lock`) || !isLocked(file)) return null
  return readHolder(file)
}

function isLocked(file: string): boolean {
  const database = new Database(`${file}.lock`, { readwrite: true })
  try {
    database.run('PRAGMA busy_timeout = 0')
    database.query('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error
    return true
  } finally {
    database.close()
  }
}

const patienceMs = 500

/** The holder, for people. Right after taking the lock, its process id is not written yet. */
function nameOfHolder(file: string): string {
  const end = performance.now() + patienceMs
  for (;;) {
    const pid = readHolder(file)?.pid ?? 0
    if (pid === process.pid) return 'this process already'
    if (isAlive(pid)) return `process ${pid}`
    if (performance.now() > end) return 'another process'
    Bun.sleepSync(10)
  }
}

/** The content of `<path>.pid`; null if it is missing or not written yet. The holder may remove it at any moment. */
function readHolder(file: string): Holder | null {
  try {
    const open = openSync(`${file}.pid`, 'r')
    try {
      const pid = Number(readFileSync(open, 'utf8'))
      return pid > 0 ? { pid, since: fstatSync(open).mtime } : null
    } finally {
      closeSync(open)
    }
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
