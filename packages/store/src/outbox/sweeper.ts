import { asc, lt, lte } from 'drizzle-orm'
import type { OpenStore } from '../engine/open-store'
import type { Store } from '../engine/store'
import { settleChanges } from '../replica/changes'
import { idempotencyKeys, inbox } from '../schema'
import { param, prepared, type Statement, type Tx } from '../statements/statements'
import { every, type Worker } from '../work/every'

const keepReceiptsMs = 14 * 24 * 60 * 60 * 1000
const everyMs = 10 * 60 * 1000
/** Rows that one commit deletes, so that callers never wait for a long one. */
const chunk = 500

type Boundary = (tx: Tx) => Statement<{ at: Date | null }[]>
type Removal = (tx: Tx) => Statement<unknown>

const nthOldReceipt = prepared((db) =>
  db
    .select({ at: inbox.receivedAt })
    .from(inbox)
    .where(lt(inbox.receivedAt, param('before')))
    .orderBy(asc(inbox.receivedAt))
    .limit(1)
    .offset(param('offset')),
)
const deleteReceipts = prepared((db) => db.delete(inbox).where(lte(inbox.receivedAt, param('upTo'))))

const nthExpiredKey = prepared((db) =>
  db
    .select({ at: idempotencyKeys.expiresAt })
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
  await sweepTable(store, nthOldReceipt, deleteReceipts, new Date(now.getTime() - keepReceiptsMs))
  await sweepTable(store, nthExpiredKey, deleteKeys, now)
  await settleChanges(store)
}

async function sweepTable(store: Store, nth: Boundary, remove: Removal, before: Date) {
  let more = true
  while (more) {
    more = await store.commit(async (tx) => {
      const [row] = await nth(tx).execute({ before, offset: chunk - 1 })
      await remove(tx).execute({ upTo: row?.at ?? new Date(before.getTime() - 1) })
      return row !== undefined
    })
  }
}

/** Sweeps every ten minutes. */
export const startSweeper = (store: OpenStore): Worker =>
  every(everyMs, (own: OpenStore) => sweepStore(own, new Date()), {
    log: store.log,
    name: 'The deletion of old rows',
    alone: store,
  })
