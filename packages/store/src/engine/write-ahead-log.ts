import type { Database } from 'bun:sqlite'
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import type { Log } from '@bursar/contracts/log'
import { checkpointInThread } from './checkpoint-thread'
import { waitForLocks } from './connections'

/**
 * The log of the writing connection: COMMIT writes to it without a sync. It is synced here, and folded into the file.
 */
export type WriteAheadLog = ReturnType<typeof writeAheadLog>

export interface LogTuning {
  /** The number of pages from which the log is folded into the file. */
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

/** The log's length is measured once in this many commits: each measurement costs a tenth of a small commit. */
const commitsUnmeasured = 8

/** The log may grow to this many times `checkpointPages` while the checkpoint's thread does not answer. */
const unanswered = 8

/** `database` is the writing connection over `file`, with `synchronous = NORMAL` and `wal_autocheckpoint = 0`. */
export function writeAheadLog(database: Database, file: string, tuning: LogTuning, log: Log) {
  // The descriptor stays open for as long as the log is used: a failed write-back is reported to it then, whenever it was.
  const fd = openSync(`${file}-wal`, 'r')
  const length = database.prepare<{ log: number }, []>('PRAGMA wal_checkpoint(NOOP)')
  let limit = tuning.checkpointPages
  let folding: Promise<void> | null = null
  let due = false
  let warned = false
  let unmeasured = 0
  const underWay = new Set<Promise<void>>()

  /** The size of the log in pages. If it cannot be read, the checkpoint comes later, and no commit fails. */
  function pages(): number {
    try {
      return length.get()?.log ?? 0
    } catch {
      return 0
    }
  }

  /** After a failed sync it is unknown what is on the disk (the next sync may succeed and still lose it). */
  function fatal(error: unknown): never {
    log.error({ err: error, file }, 'FATAL: the log of the database could not be synced; the process ends')
    process.exit(1)
  }

  /** As `sync`, blocking. */
  function syncNow() {
    try {
      tuning.syncNow(fd)
    } catch (error) {
      fatal(error)
    }
  }

  /**
   * Resolves when the present log is on the disk. Blocks nothing. Ends the process if the disk fails. Threads are shared
   * with other work, such as hashing passwords, which may keep them busy for seconds.
   */
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

  /** To be called after each commit: starts a checkpoint in its thread within some commits of the log being long. */
  function grown() {
    unmeasured += 1
    if (unmeasured < commitsUnmeasured) return
    unmeasured = 0
    const now = pages()
    if (now <= limit) return
    if (!folding && !due) folding = fold()
    else if (now > limit + unanswered * tuning.checkpointPages) due = true
  }

  /** Restarts the log, after a checkpoint of the rest. Only while no transaction is open on any of our connections. */
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
    /** True when the log should be restarted from its beginning. */
    resetDue: () => due,
    reset,
    /** Waits for the thread, folds everything into the file and closes the log. */
    async close() {
      await Promise.all([folding, ...underWay])
      try {
        database.run('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch (error) {
        // The next start checkpoints it.
        log.error({ err: error, file }, 'A checkpoint failed')
      }
      closeSync(fd)
    },
  }
}
