import {
  deleteBy,
  doubling,
  insertInto,
  rowBy,
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
 * The targets with deliveries to send. A lease is twice as long as an attempt may take; after a crash the target waits
 * until it expires.
 */
export const createTargetQueue = ({ timeoutMs }: { timeoutMs: number }, { longestMs }: Schedule): TargetQueue =>
  workQueue(targets, {
    id: 'id',
    lane: 'pace',
    leaseMs: 2 * timeoutMs + marginMs,
    // For failures of this service, such as a full disk. Failing receivers have their own pauses.
    backoff: { ...doubling(1000, 60_000), longestMs },
  })

/** The target of a fallback URL for one institution: another one's headers may be what the receiver refuses. */
export const fallbackTarget = (url: string, participantId: string | null): string =>
  participantId === null ? `url:${url}` : `url:${participantId}:${url}`

/** The dependencies of waking a target. */
export interface Waking {
  queue: TargetQueue
  now: Date
}

/** Wakes a target that has a due delivery; a paused one stays paused. */
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

/** Resets a target's failures and pause, and wakes it. */
export async function resetTarget(tx: Tx, id: string, { queue, now }: Waking): Promise<void> {
  await storeStanding(tx, id, { failures: 0, pausedUntil: null, pace: 'quick' })
  await queue.request(tx, id, now)
}

export const findTarget = rowBy(targets, 'id')

/** A target's record of answers. */
export type Standing = Pick<TargetRow, 'failures' | 'pausedUntil' | 'pace'>

export const storeStanding = (tx: Tx, id: string, { failures, pausedUntil, pace }: Standing): Promise<unknown> =>
  setStanding(tx).execute({ id, failures, pausedUntil, pace })

/** When the target may be sent to again; null for now. A pause beyond the maximum was set by a wrong clock. */
export function endOfPause(
  { pausedUntil }: Pick<Standing, 'pausedUntil'>,
  now: Date,
  { longestMs }: Schedule,
): Date | null {
  const leftMs = pausedUntil ? pausedUntil.getTime() - now.getTime() : 0
  return leftMs > 0 && leftMs <= longestMs ? pausedUntil : null
}

export const laterOf = (a: Date, b: Date | null): Date => (b !== null && b > a ? b : a)

/** Removes the target of a deleted endpoint. */
export const removeTarget = (tx: Tx, id: string): Promise<unknown> => deleteTarget(tx).execute({ id })

const insertTarget = insertInto(targets)
const deleteTarget = deleteBy(targets, 'id')
const setStanding = updateBy(targets, 'id', ['failures', 'pausedUntil', 'pace'])
