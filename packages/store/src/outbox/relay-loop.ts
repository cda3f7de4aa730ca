import { type Log, messageOf } from '@bursar/contracts/log'
import { doubling } from '../work/backoff'
import type { OutboxCursor, OutboxRow } from './outbox-cursor'
import type { OutboxSweep } from './outbox-sweep'
import type { RelayTuning } from './relay-tuning'

interface Options
  extends Pick<RelayTuning, 'clock' | 'batch' | 'spacingMs' | 'longestSpacingMs' | 'retryMs' | 'longestRetryMs'> {
  cursor: OutboxCursor
  sweep: OutboxSweep
  publish: (events: readonly OutboxRow[]) => Promise<void>
  log: Log
}

/**
 * Publishes of fewer than `few` events follow each other faster; those of `many` events and fewer than `enough` for a
 * job, slower. A publish to three consumers costs them, Redis and the publisher 2 to 3 ms of processor time together,
 * as much as a withdrawal.
 */
const few = 4
const many = 12
const enough = 192

/** Publishes the outbox whenever it is woken. */
export function relayLoop(options: Options) {
  const { cursor, sweep, publish, clock, log, batch, spacingMs, retryMs, longestRetryMs } = options
  const pause = createPause(clock)
  const backoff = doubling(retryMs, longestRetryMs)
  const empty = new Set<() => void>()
  let running: Promise<void> | null = null
  let lastMs = Number.NEGATIVE_INFINITY
  /** The least time between two publishes, by their size. */
  let spacing = spacingMs
  let wasFull = false
  let refusals = 0
  let problem: string | null = null
  let stopped = false

  /** Reports new events. */
  function wake() {
    if (stopped) return
    // After this turn of the event loop: events committed in one turn are published together.
    running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(publishAll)
  }

  async function publishAll() {
    while (!stopped && !cursor.isEmpty()) {
      await space()
      if (stopped) break
      const isTaken = await publishNext().then(accepted, refused)
      if (!isTaken && !stopped) await pause.wait(backoff.pauseMs(refusals))
    }
    running = null
    for (const resolve of empty) resolve()
  }

  /** A publish costs about the same for one event as for a hundred: more events are collected longer. */
  async function space() {
    const dueMs = lastMs + spacing - clock.now()
    const isBatch = wasFull || cursor.depth() >= batch
    if (dueMs > 0 && !isBatch && empty.size === 0) await pause.wait(dueMs)
  }

  /** One attempt: reads, publishes, notes. Events go out in order: when these are refused, those behind them wait. */
  async function publishNext() {
    const runs = sweep.runs()
    try {
      const rows = await cursor.next(batch)
      wasFull = rows.length >= batch
      if (rows.length > 0) {
        await publish(rows)
        lastMs = clock.now()
        spacing = spacingAfter(rows.length, spacing, options)
      }
      cursor.published()
      sweep.note(rows, runs)
    } catch (error) {
      cursor.refused()
      throw error
    }
  }

  function refused(error: unknown): boolean {
    refusals += 1
    problem = messageOf(error)
    const fields = { err: error, waiting: cursor.depth() }
    if (refusals === 1 && !stopped) log.warn(fields, 'Events could not be published and will be retried')
    return false
  }

  function accepted(): boolean {
    if (refusals > 0) log.info({ refusals, waiting: cursor.depth() }, 'Events are published again')
    refusals = 0
    problem = null
    return true
  }

  /** Resolves when the outbox is published or the loop stops, or after `timeoutMs`. Until then it publishes without pauses. */
  function emptied(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        empty.delete(done)
        resolve()
      }
      const timer = setTimeout(done, timeoutMs)
      empty.add(done)
      pause.cut()
    })
  }

  return {
    wake,
    /** Ends the current pause. */
    hurry: pause.cut,
    emptied,
    /** Why the last publish was refused; null if it was accepted. */
    problem: () => problem,
    /** Resolves when the publish that is under way is over. */
    async stop() {
      stopped = true
      pause.cut()
      for (const resolve of empty) resolve()
      await running
    },
  }
}

function spacingAfter(events: number, spacing: number, { spacingMs, longestSpacingMs }: Options): number {
  if (events >= many && events < enough) return Math.min(spacing * 2, longestSpacingMs)
  return events < few ? Math.max(spacing / 2, spacingMs) : spacing
}

/** A pause that can be cut short. */
function createPause({ after }: Pick<RelayTuning['clock'], 'after'>) {
  let cut = () => {}
  return {
    cut: () => cut(),
    wait: (pauseMs: number) =>
      new Promise<void>((resolve) => {
        const cancel = after(pauseMs, resolve)
        cut = () => {
          cancel()
          resolve()
        }
      }),
  }
}
