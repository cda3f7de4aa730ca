import { and, gte, lte } from 'drizzle-orm'
import type { OpenStore } from '../engine/open-store'
import { outbox } from '../schema'
import { param, prepared, type Tx } from '../statements/statements'
import { isOwn } from './instances'
import type { RelayClock } from './relay-tuning'

/** A run of published events that are still in the outbox: all `seq` from the one to the other. */
interface PublishedRun {
  from: number
  upTo: number
  /** When they were published, by the relay's clock. */
  atMs: number
}

interface Options {
  store: OpenStore
  clock: RelayClock
  /** How long a published event stays in the outbox. */
  keepMs: number
  failed: (error: unknown) => void
}

/** Rows deleted per commit: few, so that callers never wait for a long one. */
const chunk = 500

/**
 * Deletes published events only, never all up to one `seq`: an event with a lower `seq` may be committed later. Events
 * that another instance has taken over are left to it: this one may have been held up while the broker lost them.
 */
const deleteRun = prepared((db) =>
  db.delete(outbox).where(and(gte(outbox.seq, param('from')), lte(outbox.seq, param('upTo')), isOwn)),
)

export type OutboxSweep = ReturnType<typeof createOutboxSweep>

/** Deletes published events from the outbox once the broker has kept them long enough. */
export function createOutboxSweep({ store, clock, keepMs, failed }: Options) {
  let published: PublishedRun[] = []
  let cancel: (() => void) | null = null
  let stopped = false
  let isRemoving = false

  function arm() {
    const [oldest] = published
    if (cancel || stopped || !oldest) return
    const dueMs = oldest.atMs + keepMs - clock.now()
    // A little late, so that events due soon after are included.
    cancel = clock.after(Math.max(0, dueMs) + keepMs / 20, sweep)
  }

  async function sweep() {
    try {
      for (let due = takeDue(); due.length > 0 && !stopped; due = takeDue()) await remove(due)
      cancel = null
      arm()
    } catch (error) {
      if (stopped) return
      failed(error)
      cancel = clock.after(keepMs, sweep)
    }
  }

  /** A chunk of what was published over the present connection, long enough ago. */
  function takeDue(): PublishedRun[] {
    const latest = clock.now() - keepMs
    const due: PublishedRun[] = []
    let room = chunk
    for (let [run] = published; run && run.atMs <= latest && room > 0; [run] = published) {
      const upTo = Math.min(run.upTo, run.from + room - 1)
      due.push({ ...run, upTo })
      room -= upTo - run.from + 1
      if (upTo === run.upTo) published.shift()
      else run.from = upTo + 1
    }
    return due
  }

  async function remove(due: PublishedRun[]) {
    const connection = published
    isRemoving = true
    try {
      const body = async (tx: Tx) => {
        for (const { from, upTo } of due) await deleteRun(tx).execute({ from, upTo, instance: store.instance })
      }
      // Rows that come back are published again, and their receivers know them.
      await store.commit(body, undefined, { isMadeUpFor: true })
    } catch (error) {
      connection.unshift(...due)
      throw error
    } finally {
      isRemoving = false
    }
  }

  return {
    /** What was published over the present connection, oldest first. A new connection begins a new list. */
    runs: () => published,
    /** Whether this was published over the present connection, and is not deleted yet. */
    has: (seq: number) => published.findLast(({ from, upTo }) => from <= seq && seq <= upTo) !== undefined,
    /** Whether nothing that was published is still in the outbox. */
    isEmpty: () => published.length === 0 && !isRemoving,
    /** To be called when these were published, over the connection of that list. */
    note(rows: readonly { seq: number }[], runs: PublishedRun[]) {
      const atMs = clock.now()
      for (const { seq } of rows) {
        const last = runs.at(-1)
        if (last && last.upTo === seq - 1 && last.atMs === atMs) last.upTo = seq
        else runs.push({ from: seq, upTo: seq, atMs })
      }
      arm()
    },
    /** The connection is lost: what the broker took over it counts as unpublished. */
    forget() {
      published = []
    },
    stop() {
      stopped = true
      cancel?.()
    },
  }
}
