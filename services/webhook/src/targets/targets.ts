import {
  byKey,
  type Db,
  doubling,
  insertInto,
  type Tx,
  updateBy,
  type WorkQueue,
  waitingSince,
  workQueue,
} from '@bursar/store'
import type { Schedule } from './schedule'
import { targets } from './targets.table'

export type TargetRow = typeof targets.$inferSelect
export type TargetQueue = WorkQueue<TargetRow>

const marginMs = 1000

/**
 * The targets with something to send. A lease is twice as long as an attempt may take; after a crash the target waits for
 * so long.
 */
export const createTargetQueue = ({ timeoutMs }: { timeoutMs: number }, { longestMs }: Schedule): TargetQueue =>
  workQueue(targets, {
    id: 'id',
    lane: 'pace',
    leaseMs: 2 * timeoutMs + marginMs,
    // Between attempts that failed here, at a full disk for instance. Receivers that fail have pauses of their own.
    backoff: { ...doubling(1000, 60_000), longestMs },
  })

/** The target of a fallback URL. */
export const fallbackTarget = (url: string): string => `url:${url}`

/** What wakes a target: the queue, and when it is. */
export interface Waking {
  queue: TargetQueue
  now: Date
}

/** Something is due for a target; one that is paused stays so. */
export async function wakeTarget(
  tx: Tx,
  { id, endpointId }: Pick<TargetRow, 'id' | 'endpointId'>,
  { queue, now }: Waking,
): Promise<void> {
  const known = await findTarget(tx, id)
  if (known) return await queue.request(tx, id, laterOf(now, known.pausedUntil))
  const fresh: TargetRow = { id, endpointId, pace: 'quick', ...waitingSince(now), failures: 0, pausedUntil: null }
  await insertTarget(tx).execute(fresh)
}

/** Forgets a target's failures and its pause; it is looked after at once. */
export async function resetTarget(tx: Tx, id: string, { queue, now }: Waking): Promise<void> {
  await storeStanding(tx, id, { failures: 0, pausedUntil: null, pace: 'quick' })
  await queue.request(tx, id, now)
}

export async function findTarget(db: Db, id: string): Promise<TargetRow | undefined> {
  const [row] = await targetById(db).execute({ id })
  return row
}

/** What a target's answers have been like. */
export type Standing = Pick<TargetRow, 'failures' | 'pausedUntil' | 'pace'>

export const storeStanding = (tx: Tx, id: string, { failures, pausedUntil, pace }: Standing): Promise<unknown> =>
  setStanding(tx).execute({ id, failures, pausedUntil, pace })

/** When the target may be sent to again; null for now. A pause longer than any was set by a clock that was wrong. */
export function endOfPause(
  { pausedUntil }: Pick<Standing, 'pausedUntil'>,
  now: Date,
  { longestMs }: Schedule,
): Date | null {
  const leftMs = pausedUntil ? pausedUntil.getTime() - now.getTime() : 0
  return leftMs > 0 && leftMs <= longestMs ? pausedUntil : null
}

export const laterOf = (a: Date, b: Date | null): Date => (b !== null && b > a ? b : a)

const insertTarget = insertInto(targets)
const targetById = byKey(targets, 'id')
const setStanding = updateBy(targets, 'id', ['failures', 'pausedUntil', 'pace'])
