import { AsyncLocalStorage } from 'node:async_hooks'
import { answer, type BatchRunner, type Commit, hasSucceeded, newAttempt } from './commit-batch'
import { NestedCommitError, StoreClosedError } from './errors'
import type { ReadState } from './read-state'
import type { CommitOptions } from './store'
import type { WriteAheadLog } from './write-ahead-log'

const one = () => 1

/** More bodies than this wait for the next batch, so that one batch does not hold the event loop for long. */
const maxBatch = 512

interface CommitQueue<Tx> {
  commit<T>(body: (tx: Tx) => Promise<T>, options?: CommitOptions): Promise<T>
  /** Accepts no more commits, and resolves when all accepted ones are answered. */
  end(): Promise<void>
}

interface Options<Tx, Event> {
  runner: BatchRunner<Tx, Event>
  readers: Pick<ReadState, 'pin' | 'release'>
  wal: Pick<WriteAheadLog, 'sync' | 'syncNow' | 'grown' | 'resetDue' | 'reset'>
  /**
   * Batches of at most this many callers are synced at once while larger ones are rare; others are synced while the
   * next batch runs.
   */
  syncNowUpTo: number
  requestId: () => string | null
  /** Called when a batch is on the disk, before its callers are answered, with the tables that were written to. */
  wrote: (tables: ReadonlySet<string>) => void
  /** Called after `wrote` with the events of the bodies that survived. */
  committed: (events: Event[]) => void
}

/**
 * The single-writer queue. Bodies that arrive in one turn of the event loop share a transaction and so one sync of the
 * log, which runs in a thread while the next batch's bodies do. All are answered after it. A failure may depend on
 * another body's uncommitted writes, so failures are reported after it too.
 *
 * At most one batch is committed but not synced: a batch commits only when the sync of the one before is over. Readers
 * see the state before that batch until it is on the disk.
 */
export function commitQueue<Tx, Event>(options: Options<Tx, Event>): CommitQueue<Tx> {
  const { runner, readers, wal } = options
  const outside = AsyncLocalStorage.snapshot()
  const waiting: Commit<Tx, Event>[] = []
  let busy = false
  let syncing: Promise<void> | null = null
  let usualCallers = 0
  let idle = () => {}
  let end: Promise<void> | null = null

  function schedule() {
    if (busy) return
    busy = true
    setImmediate(outside, flush)
  }

  async function flush() {
    const batch = waiting.splice(0, maxBatch)
    const isOpen = await runner.run(batch)
    if (syncing) await syncing
    if (isOpen) commitAndSync(batch)
    else settle(batch)
    busy = false
    if (waiting.length > 0) schedule()
    else if (!syncing) idle()
  }

  function commitAndSync(batch: readonly Commit<Tx, Event>[]) {
    const changed = runner.changed()
    const isPromised = batch.some(mustBeSynced)
    const callers = batch.reduce((sum, each) => sum + each.callers(), 0)
    // Among large batches, the many callers would all wait for the sync of a small one.
    const isSmall = Math.max(callers, usualCallers) <= options.syncNowUpTo
    usualCallers += (callers - usualCallers) / 4
    const beside = changed && isPromised && !isSmall && !wal.resetDue() && readers.pin()
    const isWritten = runner.commit(batch) && changed
    if (isWritten) wal.grown()
    const needsSync = isWritten && isPromised
    if (needsSync && beside) {
      syncing = wal.sync().then(() => {
        syncing = null
        settle(batch)
        if (!busy) idle()
      })
      return
    }
    if (needsSync) wal.syncNow()
    readers.release()
    // No reader and no transaction holds the log at this point.
    if (wal.resetDue()) wal.reset()
    settle(batch)
  }

  /** In one turn, so that callers, listeners and readers see the change at the same time. */
  function settle(batch: readonly Commit<Tx, Event>[]) {
    readers.release()
    for (const { attempt } of batch) if (attempt.tables.size > 0) options.wrote(attempt.tables)
    const events = batch.flatMap(({ attempt }) => (hasSucceeded(attempt) ? attempt.events : []))
    if (events.length > 0) options.committed(events)
    for (const entry of batch) answer(entry)
  }

  return {
    commit(body, { isMadeUpFor = false, callers = one } = {}) {
      if (end) return Promise.reject(new StoreClosedError('The store is closed'))
      // A commit inside a commit would wait for itself.
      if (runner.current()) {
        return Promise.reject(new NestedCommitError('commit() was called inside a commit: pass its tx on instead'))
      }
      const within = AsyncLocalStorage.snapshot()
      const requestId = options.requestId()
      return new Promise((resolve, reject) => {
        const answer = resolve as (value: unknown) => void
        const attempt = newAttempt<Event>(requestId)
        waiting.push({ body, requestId, isMadeUpFor, callers, within, resolve: answer, reject, attempt })
        schedule()
      })
    },
    end() {
      end ??= new Promise((resolve) => {
        if (busy || syncing) idle = resolve
        else resolve()
      })
      return end
    },
  }
}

/** Events are published at once, and cannot be taken back. */
const mustBeSynced = ({ isMadeUpFor, attempt }: Commit<never, unknown>) => !isMadeUpFor || attempt.events.length > 0
