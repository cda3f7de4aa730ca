import { type Db, eq, isNotNull, param, params, prepared, type Tx } from '@bursar/store'
import { senders, sends } from '../sends/sends.table'
import { restoredSends } from './restored-sends.table'
import { hasUntold } from './untold-fees'
import { wasEverSetBack } from './watch-again'

/** The sends from before a restore of which it is not known yet what became of them. In memory: all others are many. */
export interface RestoredSends {
  /** Whether this database was ever set back: sends may be unknown to it. */
  readonly isAny: boolean
  has(sendId: string): boolean
  /** The wallet service has signed it anew, for its earlier signatures are dead: it goes on as any other. */
  release(tx: Tx, sendId: string): Promise<void>
}

export async function readRestoredSends(db: Db): Promise<RestoredSends> {
  const known = new Set((await openOnes(db).execute()).map(({ sendId }) => sendId))
  const isAny = (await wasEverSetBack(db)) || (await hasUntold(db))
  return {
    isAny,
    has: (sendId) => known.has(sendId),
    async release(tx, sendId) {
      await deleteOne(tx).execute({ sendId })
      known.delete(sendId)
    },
  }
}

/** Holds every send that has not ended, and forgets which nonces were given: they are asked of the nodes. */
export async function holdOpenSends(tx: Tx, now: Date): Promise<number> {
  const open = await openIds(tx).execute()
  for (const { id } of open) await insertOne(tx).execute({ sendId: id, restoredAt: now })
  await forgetNonces(tx).execute()
  return open.length
}

const openOnes = prepared((db) =>
  db
    .select({ sendId: restoredSends.sendId })
    .from(restoredSends)
    .innerJoin(sends, eq(sends.id, restoredSends.sendId))
    .where(isNotNull(sends.dueAt)),
)
const openIds = prepared((db) => db.select({ id: sends.id }).from(sends).where(isNotNull(sends.dueAt)))
const insertOne = prepared((db) => db.insert(restoredSends).values(params(restoredSends)).onConflictDoNothing())
const deleteOne = prepared((db) => db.delete(restoredSends).where(eq(restoredSends.sendId, param('sendId'))))
const forgetNonces = prepared((db) => db.update(senders).set({ nextNonce: null, leasedBy: null, leasedUntil: null }))
