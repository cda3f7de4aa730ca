import { retriableMs } from '@bursar/contracts/event'
import { and, asc, inArray, lt, sql } from 'drizzle-orm'
import type { OpenStore } from '../engine/open-store'
import type { Store } from '../engine/store'
import { idFloor } from '../lists/ids'
import { settleChanges } from '../replica/changes'
import { idempotencyKeys, inbox } from '../schema'
import { param, prepared, type Tx } from '../statements/statements'
import { every, type Loop } from '../work/every'
import { type PlausibleTimeOptions, plausibleTime } from '../work/plausible-time'

/**
 * Longer than a job may be retried, and half a month more for events published again after a long outage of the broker.
 */
const keepReceiptsMs = retriableMs + 15 * 24 * 60 * 60 * 1000
const everyMs = 10 * 60 * 1000
/** Rows deleted per commit: few, so that callers never wait for a long one. */
const chunk = 500

const { eventId } = inbox
const deleteReceipts = prepared((db) => {
  const isOld = and(lt(eventId, sql.param(param('firstKept'), eventId)), lt(inbox.receivedAt, param('before')))
  const oldest = db.select({ eventId }).from(inbox).where(isOld).orderBy(asc(eventId)).limit(chunk)
  return db.delete(inbox).where(inArray(eventId, oldest))
}, 'rows')

const { seq, expiresAt } = idempotencyKeys
const deleteKeys = prepared((db) => {
  const isExpired = lt(expiresAt, param('before'))
  const oldest = db.select({ seq }).from(idempotencyKeys).where(isExpired).orderBy(asc(expiresAt)).limit(chunk)
  return db.delete(idempotencyKeys).where(inArray(seq, oldest))
}, 'rows')

/**
 * Deletes receipts of events older than 45 days, idempotency keys that have expired at `now`, and lists of changes that no
 * replica has asked for. What is left when it `isStopping` is deleted by the next one.
 */
export async function sweepStore(store: Store, now: Date, isStopping = () => false): Promise<void> {
  const before = new Date(now.getTime() - keepReceiptsMs)
  const firstKept = idFloor(before)
  /** A chunk per commit. */
  const deleteAll = async (deleteSome: (tx: Tx) => Promise<number>) => {
    while (!isStopping() && (await store.commit(deleteSome)) === chunk);
  }
  await deleteAll((tx) => deleteReceipts(tx).execute({ firstKept, before }))
  await deleteAll((tx) => deleteKeys(tx).execute({ before: now }))
  if (!isStopping()) await settleChanges(store)
}

/**
 * Sweeps every ten minutes. A clock that jumps ahead deletes no more than the time that has passed allows. Millions of rows
 * may be old: a stop does not wait for the last of them.
 */
export function startSweeper(store: OpenStore, clock: PlausibleTimeOptions = { now: () => new Date() }): Loop {
  const timeOf = plausibleTime('sweeper', clock)
  let isStopping = false
  const sweep = async (own: OpenStore) => await sweepStore(own, await timeOf(own), () => isStopping)
  const loop = every(everyMs, sweep, { log: store.log, name: 'The deletion of old rows', alone: store })
  return {
    ...loop,
    stop() {
      isStopping = true
      return loop.stop()
    },
  }
}
