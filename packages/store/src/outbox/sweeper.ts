import { retriableMs } from '@bursar/contracts/event'
import { and, asc, lt, lte, sql } from 'drizzle-orm'
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

const eventId = (name: string) => sql.param(param(name), inbox.eventId)
const nthOldReceipt = prepared((db) =>
  db
    .select({ upTo: inbox.eventId })
    .from(inbox)
    .where(and(lt(inbox.eventId, eventId('firstKept')), lt(inbox.receivedAt, param('before'))))
    .orderBy(asc(inbox.eventId))
    .limit(1)
    .offset(param('offset')),
)
const deleteReceipts = prepared((db) =>
  db.delete(inbox).where(and(lte(inbox.eventId, eventId('upTo')), lt(inbox.receivedAt, param('before')))),
)

const nthExpiredKey = prepared((db) =>
  db
    .select({ upTo: idempotencyKeys.expiresAt })
    .from(idempotencyKeys)
    .where(lt(idempotencyKeys.expiresAt, param('before')))
    .orderBy(asc(idempotencyKeys.expiresAt))
    .limit(1)
    .offset(param('offset')),
)
const deleteKeys = prepared((db) => db.delete(idempotencyKeys).where(lte(idempotencyKeys.expiresAt, param('upTo'))))

/**
 * Deletes receipts of events older than 45 days, idempotency keys that have expired at `now`, and lists of changes that no
 * replica has asked for.
 */
export async function sweepStore(store: Store, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keepReceiptsMs)
  const firstKept = idFloor(before)
  await sweepTable(store, async (tx) => {
    const [last] = await nthOldReceipt(tx).execute({ firstKept, before, offset: chunk - 1 })
    await deleteReceipts(tx).execute({ upTo: last?.upTo ?? firstKept, before })
    return last !== undefined
  })
  await sweepTable(store, async (tx) => {
    const [last] = await nthExpiredKey(tx).execute({ before: now, offset: chunk - 1 })
    await deleteKeys(tx).execute({ upTo: last?.upTo ?? new Date(now.getTime() - 1) })
    return last !== undefined
  })
  await settleChanges(store)
}

/** `removeSome` returns whether there may be more. */
async function sweepTable(store: Store, removeSome: (tx: Tx) => Promise<boolean>) {
  let more = true
  while (more) more = await store.commit(removeSome)
}

/** Sweeps every ten minutes. A clock that jumps ahead deletes no more than the time that has passed allows. */
export function startSweeper(store: OpenStore, clock: PlausibleTimeOptions = { now: () => new Date() }): Loop {
  const timeOf = plausibleTime('sweeper', clock)
  return every(everyMs, async (own: OpenStore) => await sweepStore(own, await timeOf(own)), {
    log: store.log,
    name: 'The deletion of old rows',
    alone: store,
  })
}
