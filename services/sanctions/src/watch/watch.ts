import { and, type Db, eq, insertInto, param, prepared, type Tx } from '@bursar/store'
import { watchedAddresses } from './watched-addresses.table'

export type WatchedRow = typeof watchedAddresses.$inferSelect

/** A screened address with its last result; it is screened again with each new list. */
export type ScreenedAddress = Pick<WatchedRow, 'key' | 'address' | 'blockchain' | 'listId' | 'listed'>

/** Why an address is watched. */
export interface Cause {
  participantId: string | null
  /** The transaction whose counterparty it is; null for a screening only. */
  ledgerTransactionId?: string | null
}

/**
 * Stores screened addresses. For a known one only its last transaction changes: that a newer list
 * has it is detected and reported only by the screening with that list (rescreen.ts).
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

/** Whether all of them are watched for this participant: then there is nothing to write. */
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
