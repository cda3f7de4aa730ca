import type { Database } from 'bun:sqlite'
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import type { Log } from '@bursar/contracts/log'
import { checkpointInThread } from './checkpoint-thread'
import { waitForLocks } from './connections'

/** The log of the writing connection, which COMMIT writes to but does not sync: synced, and folded into the file. */
export interface WriteAheadLog {
  /** Resolves when what is in the log now is on the disk. Blocks nothing. Ends the process when the disk refuses. */
  sync(): Promise<void>
  /** The same, blocking. */
  syncNow(): void
  /** Call after each commit: starts a checkpoint in its thread when the log is long, within some commits. */
  grown(): void
  /** True when the log waits to be started again from its beginning. */
  resetDue(): boolean
  /** Restarts the log, after a checkpoint of the rest. Only while no transaction is open on any of our connections. */
  reset(): void
  /** Waits for the thread, folds all into the file and lets the log go. */
  close(): Promise<void>
}

export interface LogTuning {
  /** Beyond so many pages the log is folded into the file. */
  checkpointPages: number
  /** Syncs a file: in a thread, and blocking. */
  sync: (fd: number) => Promise<void>
  syncNow: (fd: number) => void
  /** How long a sync may take in a thread. After that it is done here, because the thread pool may be busy. */
  patienceMs: number
}

export const logDefaults: LogTuning = {
  checkpointPages: 8000,
  sync: (fd) => new Promise((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve()))),
  syncNow: fdatasyncSync,
  patienceMs: 50,
}

/** Asking for the length of the log costs a tenth of a small commit: only each so many commits do. */
const commitsUnmeasured = 8

/** How many times `checkpointPages` the log may grow while the checkpoint's thread does not answer. */
const unanswered = 8

/** `database` is the writing connection over `file`, with `synchronous = NORMAL` and `wal_autocheckpoint = 0`. */
export function writeAheadLog(database: Database, file: string, tuning: LogTuning, log: Log): WriteAheadLog {
  // The descriptor stays open for as long as the log is used: a failed write-back is reported to it then, whenever it was.
  const fd = openSync(`${file}-wal`, 'r')
  const length = database.prepare<{ log: number }, []>('PRAGMA wal_checkpoint(NOOP)')
  let limit = tuning.checkpointPages
  let folding: Promise<void> | null = null
  let due = false
  let warned = false
  let unmeasured = 0
  const underWay = new Set<Promise<void>>()

  /** The size of the log. If it cannot be read no commit fails: the checkpoint comes later. */
  function pages(): number {
    try {
      return length.get()?.log ?? 0
    } catch {
      return 0
    }
  }

  /** After a failed sync nobody can say what is on the disk (the next sync may succeed and still lose it). */
  function fatal(error: unknown): never {
    log.error({ err: error, file }, 'FATAL: the log of the database could not be synced; the process ends')
    process.exit(1)
  }

  function syncNow() {
    try {
      tuning.syncNow(fd)
    } catch (error) {
      fatal(error)
    }
  }

  /** Threads are shared with other work, such as hashing passwords, which may keep them busy for seconds. */
  async function sync() {
    const inThread = tuning.sync(fd).catch(fatal)
    const ended = inThread.finally(() => underWay.delete(ended))
    underWay.add(ended)
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      syncNow()
      late.resolve()
    }, tuning.patienceMs)
    await Promise.race([inThread, late.promise])
    clearTimeout(timer)
  }

  async function fold() {
    try {
      await checkpointInThread(file)
    } catch (error) {
      if (!warned) log.warn({ err: error, file }, 'No checkpoint in the background: the writer does it')
      warned = true
    }
    folding = null
    due = true
  }

  function grown() {
    unmeasured += 1
    if (unmeasured < commitsUnmeasured) return
    unmeasured = 0
    const now = pages()
    if (now <= limit) return
    if (!folding && !due) folding = fold()
    else if (now > limit + unanswered * tuning.checkpointPages) due = true
  }

  function reset() {
    due = false
    // A reader of another process may hold the log: then it grows by as much again before the next attempt.
    limit = pages() + tuning.checkpointPages
    try {
      database.run('PRAGMA busy_timeout = 0')
      const [row] = database.query<{ busy: number }, []>('PRAGMA wal_checkpoint(RESTART)').all()
      if (row?.busy === 0) limit = tuning.checkpointPages
    } catch (error) {
      log.error({ err: error, file }, 'A checkpoint failed')
    } finally {
      database.run(waitForLocks)
    }
  }

  return {
    sync,
    syncNow,
    grown,
    resetDue: () => due,
    reset,
    async close() {
      await Promise.all([folding, ...underWay])
      try {
        database.run('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch (error) {
        // The next start does it.
        log.error({ err: error, file }, 'A checkpoint failed')
      }
      closeSync(fd)
    },
  }
}
