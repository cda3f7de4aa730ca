import { inArray } from 'drizzle-orm'
import type { Store } from '../engine/store'
import { outbox } from '../schema'
import { prepared } from '../statements/statements'
import { listParams } from '../statements/value-lists'
import type { Backlog } from './relay-backlog'
import type { RelayClock } from './relay-clock'

/** Deletes published events from the outbox once the broker has kept them long enough. */
export interface OutboxSweep {
  /** Makes sure of a sweep; to be called after each publish. */
  arm(): void
  stop(): void
}

interface Options {
  store: Store
  backlog: Backlog
  clock: RelayClock
  /** How long a published event stays. */
  keepMs: number
  failed: (error: unknown) => void
}

/** Rows that one commit deletes, so that callers never wait for a long one, and that one statement does. */
const chunk = 500
const inStatement = 100

/** By their own `seq`, never all up to one: an event with a lower `seq` may be committed later. */
const deleteRows = prepared((db) => db.delete(outbox).where(inArray(outbox.seq, listParams('seq', inStatement))))

export function createOutboxSweep({ store, backlog, clock, keepMs, failed }: Options): OutboxSweep {
  let cancel: (() => void) | null = null
  let stopped = false

  function arm() {
    const [oldest] = backlog.published.values()
    if (cancel || stopped || !oldest) return
    const dueMs = oldest.atMs + keepMs - clock.now()
    // A little late, so that what becomes due soon after goes with it.
    cancel = clock.after(Math.max(0, dueMs) + keepMs / 20, sweep)
  }

  async function sweep() {
    try {
      for (let due = dueEvents(); due.length > 0 && !stopped; due = dueEvents()) await remove(due)
      cancel = null
      arm()
    } catch (error) {
      if (stopped) return
      failed(error)
      cancel = clock.after(keepMs, sweep)
    }
  }

  /** A chunk of events that were published over the connection that stands, long enough ago. */
  function dueEvents(): { eventId: string; seq: number }[] {
    const latest = clock.now() - keepMs
    const due = []
    for (const [eventId, { seq, atMs }] of backlog.published) {
      if (atMs > latest || due.length === chunk) break
      due.push({ eventId, seq })
    }
    return due
  }

  async function remove(events: { eventId: string; seq: number }[]) {
    await store.commit(async (tx) => {
      for (let from = 0; from < events.length; from += inStatement) {
        const seqs = events.slice(from, from + inStatement).map(({ seq }) => seq)
        // The placeholders to spare repeat the first.
        const values = Array.from({ length: inStatement }, (_, i) => [`seq${i}`, seqs[i] ?? seqs[0]])
        await deleteRows(tx).execute(Object.fromEntries(values))
      }
    })
    for (const { eventId } of events) backlog.published.delete(eventId)
  }

  return {
    arm,
    stop() {
      stopped = true
      cancel?.()
    },
  }
}
