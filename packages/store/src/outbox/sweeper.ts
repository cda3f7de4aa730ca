import { and, asc, lt, lte, sql } from 'drizzle-orm'
import type { OpenStore } from '../engine/open-store'
import type { Store } from '../engine/store'
import { idFloor } from '../lists/ids'
import { settleChanges } from '../replica/changes'
import { idempotencyKeys, inbox } from '../schema'
import { param, prepared, type Tx } from '../statements/statements'
import { every, type Worker } from '../work/every'

const keepReceiptsMs = 14 * 24 * 60 * 60 * 1000
const everyMs = 10 * 60 * 1000
/** Rows that one commit deletes, so that callers never wait for a long one. */
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
 * Deletes receipts of events older than 14 days, idempotency keys that have expired at `now`, and lists of changes that no
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

/** `removeSome` says whether there may be more. */
async function sweepTable(store: Store, removeSome: (tx: Tx) => Promise<boolean>) {
  let more = true
  while (more) more = await store.commit(removeSome)
}

/** Sweeps every ten minutes. */
export const startSweeper = (store: OpenStore): Worker =>
  every(everyMs, (own: OpenStore) => sweepStore(own, new Date()), {
    log: store.log,
    name: 'The deletion of old rows',
    alone: store,
  })
