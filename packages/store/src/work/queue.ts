// Durable work: rows of a service's own table that are worked on until nothing is left to do, despite crashes, wrong
// clocks and several workers. A row is claimed under a lease; what an attempt found is written only while the lease is held.
import type { SQL } from 'drizzle-orm'
import type { Store } from '../engine/store'
import type { Db, Tx } from '../statements/statements'
import type { Backoff } from './backoff'
import { claimingStatements, endingStatements, type Row, type WorkTable } from './work-statements'

/** A leased row. */
export type Claimed<Row> = Row & { readonly leasedUntil: Date }

/** Results under an expired lease are not written: another worker has the row, or may have it. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

/** The most rows of one claim. */
export const mostClaimed = 100

export interface WorkQueue<Row> {
  readonly leaseMs: number
  /**
   * Leases the rows that have been due longest, in one commit; of one lane where a lane is named. Should their worker die,
   * they are due again when the lease ends. Where none is due, those that are due further ahead than any can be: a clock
   * was wrong when they were rescheduled.
   */
  claim(store: Store, how: { now: Date; limit: number; lane?: string }): Promise<Claimed<Row>[]>
  /** Whether any row can be claimed. */
  isDue(db: Db, now: Date): Promise<boolean>
  /** The lanes with claimable rows, in order from `after` on and then from the first; of at most 200 lanes. */
  lanesDue(db: Db, how: { now: Date; after: string }): Promise<{ due: string[]; after: string }>
  /** Throws LeaseLostError unless all rows are still leased as they were claimed. */
  assertHeld(tx: Tx, rows: readonly Claimed<Row>[]): Promise<void>
  /**
   * Ends successful attempts at these rows: they are due at `dueAt`, null for never, or at once if they were woken
   * meanwhile. Throws LeaseLostError, and so rolls back the commit.
   */
  finish(tx: Tx, rows: readonly Claimed<Row>[], next?: { dueAt: Date | null }): Promise<void>
  /**
   * Ends an attempt with more to do: the row is due again after a pause, which grows with each attempt and is at least
   * `atLeastMs`. `attempts`: the number of failed attempts, this one included. Throws LeaseLostError.
   */
  reschedule(tx: Tx, row: Claimed<Row>, why: Rescheduling): Promise<void>
  /** The same for several, each with its own reason. Throws LeaseLostError unless all are still leased. */
  rescheduleAll(tx: Tx, rows: readonly { row: Claimed<Row>; why: Rescheduling }[]): Promise<void>
  /** Renews the leases of these rows, and returns the rows with them. Throws LeaseLostError. */
  extend(tx: Tx, rows: readonly Claimed<Row>[], now: Date): Promise<Claimed<Row>[]>
  /** Makes a row with something to do due now; a leased one is due again as soon as its attempt has ended. */
  wake(tx: Tx, id: string, now: Date): Promise<void>
  /** As `wake`, also for a row with nothing to do, which then has something to do. */
  request(tx: Tx, id: string, now: Date): Promise<void>
  /** The same for many. */
  requestAll(tx: Tx, ids: readonly string[], now: Date): Promise<void>
  /** The number of open rows, and since when the oldest is due; null if none waits. */
  backlog(db: Db): Promise<{ depth: number; oldestDueAt: Date | null }>
}

export interface Rescheduling {
  now: Date
  /** Null if nothing failed: the row only has to wait. */
  error: string | null
  attempts?: number
  atLeastMs?: number
}

interface QueueOptions<T extends WorkTable> {
  /** The column that names a row. */
  id: keyof Row<T> & keyof T & string
  /**
   * The column of the lane: rows of a lane are worked on one after another, so that a slow one holds up only its own
   * lane.
   */
  lane?: keyof Row<T> & keyof T & string
  /** Longer than an attempt takes; after a crash the row waits this long. */
  leaseMs: number
  backoff: Backoff
  /**
   * SQL: rows that `finish` may schedule further ahead than the longest pause; a wrong clock is not noticed for them.
   * None by default.
   */
  farAhead?: SQL
}

/** The queue of a table with the columns of `work()`. */
export const workQueue = <T extends WorkTable>(table: T, options: QueueOptions<T>): WorkQueue<Row<T>> => ({
  leaseMs: options.leaseMs,
  ...claiming(table, options),
  ...ending(table, options),
})

/** The clocks of two workers differ by less: a lease that ends later than this was taken while a clock was wrong. */
const skewMs = 60_000

const after = (now: Date, ms: number): Date => new Date(now.getTime() + ms)
/** Nothing is ever due further ahead than this, except `farAhead` rows. */
const furthestMs = ({ leaseMs, backoff }: Pick<QueueOptions<WorkTable>, 'leaseMs' | 'backoff'>): number =>
  Math.max(leaseMs, backoff.longestMs)

function claiming<T extends WorkTable>(table: T, options: QueueOptions<T>) {
  const { id, leaseMs } = options
  const statements = claimingStatements(table, options)

  async function due(db: Db, { now, limit, lane }: { now: Date; limit: number; lane?: string | undefined }) {
    const furthest = after(now, furthestMs(options))
    const values = { now, longestLease: after(now, leaseMs + skewMs), furthest, limit, lane }
    const ofLane = lane !== undefined
    const rows = await statements.due({ ofLane, isStranded: false })(db).execute(values)
    return rows.length > 0 ? rows : await statements.due({ ofLane, isStranded: true })(db).execute(values)
  }
  const isDue = async (db: Db, now: Date, lane?: string) => (await due(db, { now, limit: 1, lane })).length > 0

  return {
    isDue: (db: Db, now: Date) => isDue(db, now),
    async claim(store: Store, { now, limit, lane }: { now: Date; limit: number; lane?: string }) {
      // Most checks find nothing, and need no commit.
      if (!(await isDue(store.read, now, lane))) return []
      return await store.commit(
        async (tx) => {
          const rows = await due(tx, { now, limit: Math.min(limit, mostClaimed), lane })
          const ids = rows.map((row) => row[id] as string)
          const until = after(now, leaseMs)
          await statements.lease(tx, ids, { until })
          return rows.map((row) => ({ ...row, dueAt: until, leasedUntil: until }))
        },
        lane,
        { isMadeUpFor: true },
      )
    },
    async lanesDue(db: Db, { now, after: start }: { now: Date; after: string }) {
      const found: string[] = []
      let at = start
      let isSecondRound = false
      for (let visited = 0; visited < mostLanes; visited++) {
        const [row] = await statements.nextLane(db).execute({ after: at })
        const next = row?.lane ?? null
        if (next === null && (isSecondRound || start === '')) return { due: found, after: '' }
        if (next === null) {
          isSecondRound = true
          at = ''
          continue
        }
        if (isSecondRound && next > start) break
        at = next
        if (await isDue(db, now, next)) found.push(next)
      }
      return { due: found, after: at }
    },
    async backlog(db: Db) {
      const [row] = await statements.backlog(db).execute()
      return { depth: row?.depth ?? 0, oldestDueAt: row?.oldest == null ? null : new Date(row.oldest) }
    },
  }
}

/** The most lanes visited per check: their number must not block the thread. */
const mostLanes = 200

function ending<T extends WorkTable>(table: T, options: QueueOptions<T>) {
  const { id, leaseMs, backoff } = options
  const statements = endingStatements(table, options)
  type Rows = readonly Claimed<Row<T>>[]
  /** Runs a statement that finds rows by name and lease, as often as these rows need. Throws LeaseLostError unless it finds all. */
  async function whileHeld(rows: Rows, run: (names: readonly string[], held: Date) => Promise<number>) {
    for (const [lease, alike] of Map.groupBy(rows, ({ leasedUntil }) => leasedUntil.getTime())) {
      const names = alike.map((row) => row[id] as string)
      throwUnlessAll(alike, await run(names, new Date(lease)))
    }
  }
  async function rescheduleAll(tx: Tx, rows: readonly { row: Claimed<Row<T>>; why: Rescheduling }[]) {
    const ends = rows.map(({ row, why: { now, error, ...how } }) => {
      const attempts = how.attempts ?? row.attempts + 1
      const pauseMs = Math.max(how.atLeastMs ?? 0, backoff.pauseMs(Math.max(1, attempts)))
      const dueAt = after(now, Math.min(pauseMs, furthestMs(options)))
      return { [id]: row[id], leasedUntil: row.leasedUntil, dueAt, attempts, lastError: error }
    })
    throwUnlessAll(rows, await statements.settleEach(tx, ends))
  }

  return {
    assertHeld: (tx: Tx, rows: Rows) =>
      whileHeld(rows, async (names, held) =>
        (await statements.held(tx, names, { held })).reduce((sum, some) => sum + some.held, 0),
      ),
    finish(tx: Tx, rows: Rows, { dueAt }: { dueAt: Date | null } = { dueAt: null }) {
      const found = { dueAt, attempts: 0, lastError: null }
      return whileHeld(rows, (names, held) => statements.settle(tx, names, { ...found, held }))
    },
    reschedule: (tx: Tx, row: Claimed<Row<T>>, why: Rescheduling) => rescheduleAll(tx, [{ row, why }]),
    rescheduleAll,
    async extend(tx: Tx, rows: Rows, now: Date) {
      const until = after(now, leaseMs)
      await whileHeld(rows, (names, held) => statements.extend(tx, names, { until, held }))
      return rows.map((row) => ({ ...row, leasedUntil: until }))
    },
    async wake(tx: Tx, name: string, now: Date) {
      await statements.wake(tx, [name], { now })
    },
    async request(tx: Tx, name: string, now: Date) {
      await statements.request(tx, [name], { now })
    },
    async requestAll(tx: Tx, names: readonly string[], now: Date) {
      await statements.request(tx, names, { now })
    },
  }
}

function throwUnlessAll(rows: readonly unknown[], held: number): void {
  if (held === rows.length) return
  throw new LeaseLostError('Another worker has the work, or may have: what was found is not written')
}
