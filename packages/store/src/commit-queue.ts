import { AsyncLocalStorage } from 'node:async_hooks'
import type { BatchRunner, Commit } from './commit-batch'
import { NestedCommitError, StoreClosedError } from './errors'

/** More bodies than this wait for the next batch, so that one batch does not hold the event loop for long. */
const maxBatch = 512

export interface CommitQueue<Tx> {
  commit<T>(body: (tx: Tx) => Promise<T>): Promise<T>
  /** Takes nothing more and resolves when what was taken is answered. */
  end(): Promise<void>
}

interface Options<Event> {
  requestId: () => string | null
  /** Called after each COMMIT, before its callers are answered, with the events of the bodies that survived. */
  committed: (events: Event[]) => void
  /** Called after each batch, before anything else hears of it. */
  ended: () => void
  /** Called likewise, and first, with the tables that were written to. */
  wrote: (tables: ReadonlySet<string>) => void
}

/**
 * The single-writer queue. Bodies that arrive in one turn of the event loop share a transaction and so one fsync; all
 * are answered after it, the failed ones too, for what they saw of their neighbours is true only then.
 */
export function commitQueue<Tx, Event>(runner: BatchRunner<Tx, Event>, options: Options<Event>): CommitQueue<Tx> {
  const outside = AsyncLocalStorage.snapshot()
  const waiting: Commit<Tx, Event>[] = []
  let busy = false
  let ended = () => {}
  let end: Promise<void> | null = null

  function schedule() {
    if (busy) return
    busy = true
    setImmediate(outside, flush)
  }

  async function flush() {
    const batch = waiting.splice(0, maxBatch)
    await runner.run(batch)
    options.ended()
    for (const entry of batch) if (entry.tables.size > 0) options.wrote(entry.tables)
    const events = batch.flatMap((entry) => (succeeded(entry) ? entry.events : []))
    if (events.length > 0) options.committed(events)
    for (const entry of batch) answer(entry)
    busy = false
    if (waiting.length > 0) schedule()
    else ended()
  }

  return {
    commit(body) {
      if (end) return Promise.reject(new StoreClosedError('The store is closed'))
      // It would wait for a batch that waits for it.
      if (runner.current()) {
        return Promise.reject(new NestedCommitError('commit() was called inside a commit: pass its tx on instead'))
      }
      const within = AsyncLocalStorage.snapshot()
      const requestId = options.requestId()
      return new Promise((resolve, reject) => {
        const answer = resolve as (value: unknown) => void
        waiting.push({ body, requestId, within, events: [], tables: new Set(), resolve: answer, reject, outcome: null })
        schedule()
      })
    },
    end() {
      end ??= new Promise((resolve) => {
        if (busy) ended = resolve
        else resolve()
      })
      return end
    },
  }
}

const succeeded = <Tx, Event>({ outcome }: Commit<Tx, Event>) => outcome !== null && 'value' in outcome

function answer<Tx, Event>({ outcome, resolve, reject }: Commit<Tx, Event>) {
  if (outcome && 'value' in outcome) resolve(outcome.value)
  else reject(outcome?.error)
}
