import type { Log } from '@bursar/contracts/log'
import type { Store } from '../engine/store'
import { type Again, again } from './again'
import { type Claimed, LeaseLostError, mostClaimed, type WorkQueue } from './queue'

/** The worker of a queue, which runs until it is stopped. */
export interface WorkLoop extends Again {
  /** Works on all due rows, and those that fall due meanwhile; resolves when nothing is left. For tests. */
  runDue(): Promise<void>
}

interface WorkOptions<Row> {
  store: Store
  now: () => Date
  log: Log
  /** The name of the work, for the log: `The work on orders`. */
  name: string
  /**
   * Works on rows of one claim, and ends the attempt at each by `finish` or `reschedule` in the commits of its results.
   * When it throws, the rows that it has not ended are rescheduled.
   */
  handle(rows: readonly Claimed<Row>[], signal: AbortSignal): Promise<void>
  /** The message for an error of `handle` in the row and for people. The log has the error itself. */
  reasonOf?: (error: unknown) => string
  /** True: one lane of the queue after another; false: any due rows. */
  byLane?: boolean
  /** The number of concurrent handlers; with `byLane` one per lane. */
  places: number
  /** Without `byLane`: the lanes to claim from, in their order, and how many of the places each may have. */
  lanes?: Record<string, number>
  /** The most rows that a handler is given. */
  batch?: number
  /** The pause between two checks without a wake. */
  lookMs: number
}

interface Lane {
  lane: string
  most: number
  running: number
}

/**
 * Works on a queue: as soon as it is woken, and periodically for rows that fall due. A slow handler occupies its own
 * place only.
 */
export function workOn<Row>(queue: WorkQueue<Row>, options: WorkOptions<Row>): WorkLoop {
  const { store, now, log, name, places, lookMs, byLane = false, batch = mostClaimed } = options
  const running = new Map<string | symbol, Promise<void>>()
  const lanes = Object.entries(options.lanes ?? {}).map(([lane, most]) => ({ lane, most, running: 0 }))
  const broken = new AbortController()
  let stopped = false
  let after = ''
  const loop = again(lookMs, look, { log, name, firstMs: 0 })

  async function look(): Promise<void> {
    if (byLane) await lookByLane()
    else await lookAtAll()
  }

  async function lookAtAll() {
    for (const lane of options.lanes ? lanes : [null]) while (await beginNext(lane));
  }

  /** Claims rows for all free places in one commit; true if more may be due. */
  async function beginNext(lane: Lane | null): Promise<boolean> {
    const free = Math.min(places - running.size, lane ? lane.most - lane.running : places)
    if (stopped || free <= 0) return false
    const limit = Math.min(batch * free, mostClaimed)
    const rows = await queue.claim(store, { now: now(), limit, ...(lane && { lane: lane.lane }) })
    for (let from = 0; from < rows.length; from += batch) begin(Symbol(name), rows.slice(from, from + batch), lane)
    // Rows that fall due after a claim wake the loop, or are found by its next check: that saves two reads per claim.
    return rows.length === limit
  }

  async function lookByLane() {
    const found = await queue.lanesDue(store.read, { now: now(), after })
    after = found.after
    for (const lane of found.due.filter((each) => !running.has(each))) {
      if (stopped || running.size >= places) return
      const rows = await queue.claim(store, { now: now(), limit: batch, lane })
      if (rows.length > 0) begin(lane, rows)
    }
  }

  function begin(place: string | symbol, rows: Claimed<Row>[], lane: Lane | null = null) {
    if (lane) lane.running += 1
    const done = attempt(rows).then((went) => {
      running.delete(place)
      if (lane) lane.running -= 1
      // A place is free. After a disk failure the next check waits for its time: at once, it would keep the disk busy.
      if (went && !stopped) void loop.wake()
    })
    running.set(place, done)
  }

  /** False if even the failure could not be stored: the lease expires then. */
  async function attempt(rows: Claimed<Row>[]): Promise<boolean> {
    try {
      await options.handle(rows, broken.signal)
      return true
    } catch (error) {
      if (error instanceof LeaseLostError) {
        log.warn({ err: error, worker: name }, `${name} took longer than its lease; another attempt has it`)
        return true
      }
      log.error({ err: error, worker: name, rows: rows.length }, `${name} failed; it is repeated`)
      return await reschedule(rows, options.reasonOf?.(error) ?? 'It failed here; the log says why')
    }
  }

  async function reschedule(rows: Claimed<Row>[], error: string): Promise<boolean> {
    try {
      for (const row of rows) {
        await store.commit((tx) => queue.reschedule(tx, row, { now: now(), error })).catch(unlessLost)
      }
      return true
    } catch (err) {
      log.error({ err, worker: name }, `${name} could not be rescheduled; it is claimed again when its lease ends`)
      return false
    }
  }

  return {
    ...loop,
    idle: () => running.size === 0 && (loop.idle?.() ?? true),
    async runDue() {
      do {
        await loop.wake()
        await Promise.all(running.values())
      } while (await hasWork())
    },
    async stop() {
      stopped = true
      broken.abort(new Error('The service stops'))
      await loop.stop()
      await Promise.all(running.values())
    },
  }

  async function hasWork(): Promise<boolean> {
    if (stopped || running.size > 0) return !stopped
    const isDue = await queue.isDue(store.read, now())
    // Rows claimed by a check meanwhile are not due, and may not be running yet.
    return !stopped && (isDue || running.size > 0 || !(loop.idle?.() ?? true))
  }
}

/** For a handler that works on each row independently: rejects with one failure once all have ended. */
export async function sideBySide<T>(all: readonly T[], work: (each: T) => Promise<unknown>): Promise<void> {
  const outcomes = await Promise.allSettled(all.map(work))
  const failures = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  // A lost lease is reported by the other worker; any other error only here.
  const worst = failures.find((each) => !(each instanceof LeaseLostError)) ?? failures[0]
  if (worst !== undefined) throw worst
}

/** The row was ended before `handle` threw, or has gone to another worker. */
function unlessLost(error: unknown): void {
  if (!(error instanceof LeaseLostError)) throw error
}
