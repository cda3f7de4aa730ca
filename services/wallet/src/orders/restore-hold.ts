import { type Db, insertMissing, prepared, rowBy, type Tx, upsertInto } from '@bursar/store'
import type { orders } from './orders.table'
import { releasedOrders, restoreHold } from './restore-hold.table'

export const waitsForOperator =
  'The order is from before a restore and may have been paid since: it waits for an operator (bun run wallet:held)'

/** The reason of an order that was accepted before and lost by a restore. */
export const forgotten =
  'The order was accepted before, and is not known any more: it may have been paid, and waits for an operator ' +
  '(bun run wallet:held) unless the blockchain service knows it'

export type Hold = typeof restoreHold.$inferSelect

export async function findHold(db: Db): Promise<Hold | undefined> {
  const [row] = await hold(db).execute()
  return row
}

/**
 * Starts a line of history. Orders from before the given time wait from now on, including those that were released;
 * null: none waits.
 */
export async function putHold(tx: Tx, line: string, before: Date | null): Promise<void> {
  await upsertHold(tx).execute({ id: 'hold', line, before })
  await deleteReleased(tx).execute()
}

/**
 * Whether an order waits for an operator: after a restore it may have been paid already, though the database says
 * otherwise. Its age is its own or that of its id (UUID v7), for the ledger may order it anew after the restore.
 */
export const isHeld = async (db: Db, order: Pick<typeof orders.$inferSelect, 'id' | 'createdAt'>): Promise<boolean> =>
  await isHeldBy(await findHold(db), db, order)

/** The same, for a hold that was already read. */
export async function isHeldBy(
  found: Hold | undefined,
  db: Db,
  order: Pick<typeof orders.$inferSelect, 'id' | 'createdAt'>,
): Promise<boolean> {
  if (!found?.before) return false
  const isOlder = order.createdAt < found.before || order.id < firstIdAt(found.before)
  return isOlder && !(await isReleased(db, order.id))
}

/** Whether an operator has found this order unpaid. */
export const isReleased = async (db: Db, id: string): Promise<boolean> => (await releasedById(db, id)) !== undefined

/** Releases an order that an operator has checked. */
export const releaseOrder = (tx: Tx, id: string, releasedAt: Date): Promise<unknown> =>
  insertReleased(tx, [{ id, releasedAt }])

/** The lowest id (UUID v7) of this time. */
export const firstIdAt = (at: Date): string => {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

const hold = prepared((db) => db.select().from(restoreHold))
const upsertHold = upsertInto(restoreHold, ['id'], ['line', 'before'])
const releasedById = rowBy(releasedOrders, 'id')
const insertReleased = insertMissing(releasedOrders)
const deleteReleased = prepared((db) => db.delete(releasedOrders))
