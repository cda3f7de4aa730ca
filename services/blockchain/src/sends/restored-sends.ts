import { type Db, deleteBy, eq, insertMissing, isNotNull, prepared, type Tx } from '@bursar/store'
import { hasUntold } from '../movements/untold-fees'
import { wasEverSetBack } from '../watching/watch-again'
import { callSenders } from './queue'
import { restoredSends, senders, sends } from './sends.table'

/** The sends from before a restore whose fate is still unknown. In memory, since they are few. */
export interface RestoredSends {
  /** Whether this database was ever restored: it may lack sends. */
  readonly isAny: boolean
  has(sendId: string): boolean
  /**
   * Releases a send that the wallet service has signed again because its earlier signatures are dead. It counts as held
   * until `released`: the commit may fail, or its body run again.
   */
  release(tx: Tx, sendId: string): Promise<void>
  /** After the commit. */
  released(sendId: string): void
}

export async function readRestoredSends(db: Db): Promise<RestoredSends> {
  const known = new Set((await openOnes(db).execute()).map(({ sendId }) => sendId))
  const isAny = (await wasEverSetBack(db)) || (await hasUntold(db))
  return {
    isAny,
    has: (sendId) => known.has(sendId),
    release: async (tx, sendId) => void (await deleteOne(tx).execute({ sendId })),
    released: (sendId) => void known.delete(sendId),
  }
}

/** Holds every open send, and resets the nonces, which are then read from the nodes. */
export async function holdOpenSends(tx: Tx, now: Date): Promise<number> {
  await forgetNonces(tx).execute()
  const open = await openSends(tx).execute()
  await insertRestored(
    tx,
    open.map(({ id }) => ({ sendId: id, restoredAt: now })),
  )
  await callSenders(tx, open, now)
  return open.length
}

const openOnes = prepared((db) =>
  db
    .select({ sendId: restoredSends.sendId })
    .from(restoredSends)
    .innerJoin(sends, eq(sends.id, restoredSends.sendId))
    .where(isNotNull(sends.dueAt)),
)
const openSends = prepared((db) =>
  db.select({ id: sends.id, network: sends.network, sender: sends.sender }).from(sends).where(isNotNull(sends.dueAt)),
)
const insertRestored = insertMissing(restoredSends)
const deleteOne = deleteBy(restoredSends, 'sendId')
const forgetNonces = prepared((db) => db.update(senders).set({ nextNonce: null, leasedUntil: null }))
