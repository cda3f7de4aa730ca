import { and, type Db, eq, param, params, prepared, type Tx } from '@bursar/store'
import type { ScreenedAddress } from '../screening/screen-address'
import { watchedAddresses } from './watched-addresses.table'

export type WatchedRow = typeof watchedAddresses.$inferSelect

/** On whose behalf an address is watched. */
export interface Cause {
  participantId: string | null
  /** The transaction whose counterparty it is; null for a mere screening. */
  ledgerTransactionId?: string | null
}

/** Remembers addresses that were screened. A transaction that was known stays known. */
export async function watch(tx: Tx, screened: readonly ScreenedAddress[], cause: Cause, at: Date): Promise<void> {
  for (const address of screened) {
    const participantId = cause.participantId ?? ''
    const known = await findWatched(tx, address.key, participantId)
    // It was held against a newer list meanwhile, and a hit of that is reported already.
    const state = known && known.listId > address.listId ? { listId: known.listId, listed: known.listed } : {}
    const ledgerTransactionId = cause.ledgerTransactionId ?? known?.ledgerTransactionId ?? null
    await upsertWatched(tx).execute({ ...address, ...state, participantId, ledgerTransactionId, screenedAt: at })
  }
}

/** Whether all of them are watched for this participant, with the same verdict of the same list: nothing is to be written. */
export async function areWatched(db: Db, screened: readonly ScreenedAddress[], participantId: string | null) {
  for (const { key, listId, listed } of screened) {
    const known = await findWatched(db, key, participantId ?? '')
    if (known?.listId !== listId || known.listed !== listed) return false
  }
  return true
}

async function findWatched(db: Db, key: string, participantId: string): Promise<WatchedRow | undefined> {
  const [row] = await watchedByKey(db).execute({ key, participantId })
  return row
}

const watchedByKey = prepared((db) =>
  db
    .select()
    .from(watchedAddresses)
    .where(and(eq(watchedAddresses.key, param('key')), eq(watchedAddresses.participantId, param('participantId')))),
)
const upsertWatched = prepared((db) =>
  db
    .insert(watchedAddresses)
    .values(params(watchedAddresses))
    .onConflictDoUpdate({
      target: [watchedAddresses.key, watchedAddresses.participantId],
      set: {
        address: param('address'),
        blockchain: param('blockchain'),
        ledgerTransactionId: param('ledgerTransactionId'),
        listId: param('listId'),
        listed: param('listed'),
        screenedAt: param('screenedAt'),
      },
    }),
)
