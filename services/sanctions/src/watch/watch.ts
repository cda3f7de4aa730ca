import { and, type Db, eq, insertInto, param, prepared, type Tx } from '@bursar/store'
import { watchedAddresses } from './watched-addresses.table'

export type WatchedRow = typeof watchedAddresses.$inferSelect

/** An address that was screened, and what is remembered of that: it is screened again with each new list. */
export type ScreenedAddress = Pick<WatchedRow, 'key' | 'address' | 'blockchain' | 'listId' | 'listed'>

/** On whose behalf an address is watched. */
export interface Cause {
  participantId: string | null
  /** The transaction whose counterparty it is; null for a mere screening. */
  ledgerTransactionId?: string | null
}

/**
 * Remembers addresses that were screened. Of one that is known nothing changes but its last transaction: that a newer list
 * has it is found, and reported, by the screening against that list (rescreen.ts) alone.
 */
export async function watch(tx: Tx, screened: readonly ScreenedAddress[], cause: Cause, at: Date): Promise<void> {
  const { participantId: owner, ledgerTransactionId = null } = cause
  const participantId = owner ?? ''
  for (const address of screened) {
    const { key } = address
    if (!(await findWatched(tx, key, participantId))) {
      await insertWatched(tx).execute({ ...address, participantId, ledgerTransactionId, createdAt: at })
    } else if (ledgerTransactionId !== null) {
      await setTransaction(tx).execute({ key, participantId, ledgerTransactionId })
    }
  }
}

/** Whether all of them are watched for this participant: nothing is to be written then. */
export async function areWatched(db: Db, screened: readonly ScreenedAddress[], participantId: string | null) {
  for (const { key } of screened) {
    if (!(await findWatched(db, key, participantId ?? ''))) return false
  }
  return true
}

async function findWatched(db: Db, key: string, participantId: string): Promise<WatchedRow | undefined> {
  const [row] = await watchedByKey(db).execute({ key, participantId })
  return row
}

const byKey = and(eq(watchedAddresses.key, param('key')), eq(watchedAddresses.participantId, param('participantId')))
const watchedByKey = prepared((db) => db.select().from(watchedAddresses).where(byKey))
const insertWatched = insertInto(watchedAddresses)
const setTransaction = prepared((db) =>
  db
    .update(watchedAddresses)
    .set({ ledgerTransactionId: param('ledgerTransactionId') })
    .where(byKey),
)
