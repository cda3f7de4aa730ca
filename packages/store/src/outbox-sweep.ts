import { lte } from 'drizzle-orm'
import type { OutboxEvent } from './events'
import type { Store } from './open-store'
import { outbox } from './schema'
import { param, prepared } from './statements'

interface Batch {
  upTo: number
  rows: number
  atMs: number
}

/** Deletes published events from the outbox once they are old enough. */
export interface OutboxSweep {
  published(events: readonly OutboxEvent[]): void
  /** Forgets what was published: it is about to be sent again. */
  reset(): void
  stop(): void
}

const deleteUpTo = prepared((db) => db.delete(outbox).where(lte(outbox.seq, param('seq'))))

/** `keepMs` is how long a published event stays; one commit deletes at most `chunk` rows. */
export function createOutboxSweep(
  store: Store,
  keepMs: number,
  chunk: number,
  failed: (error: unknown) => void,
): OutboxSweep {
  let batches: Batch[] = []
  let timer: Timer | null = null
  let stopped = false

  function arm() {
    const [oldest] = batches
    if (timer || stopped || !oldest) return
    const dueMs = oldest.atMs + keepMs - performance.now()
    // A little late, so that what becomes due soon after goes with it.
    timer = setTimeout(sweep, Math.max(0, dueMs) + keepMs / 20)
    timer.unref()
  }

  async function sweep() {
    try {
      for (let upTo = takeDue(); upTo !== null && !stopped; upTo = takeDue()) {
        const seq = upTo
        await store.commit((tx) => deleteUpTo(tx).execute({ seq }))
      }
    } catch (error) {
      // The rows stay until the next start, which sends them again; that does no harm.
      if (!stopped) failed(error)
    }
    timer = null
    arm()
  }

  /** The last `seq` of the next chunk that is old enough; null when there is none. */
  function takeDue(): number | null {
    const due = performance.now() - keepMs
    let rows = 0
    let taken = 0
    for (const batch of batches) {
      if (batch.atMs > due || (taken > 0 && rows + batch.rows > chunk)) break
      rows += batch.rows
      taken += 1
    }
    return batches.splice(0, taken).at(-1)?.upTo ?? null
  }

  return {
    published(events) {
      const last = events.at(-1)
      if (last) batches.push({ upTo: last.seq, rows: events.length, atMs: performance.now() })
      arm()
    },
    reset() {
      batches = []
    },
    stop() {
      stopped = true
      if (timer) clearTimeout(timer)
    },
  }
}
