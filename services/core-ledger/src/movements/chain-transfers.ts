import { byKey, type Db, param, params, prepared, type Tx } from '@bursar/store'
import { chainTransfers } from './chain-transfers.table'

export type ChainTransfer = typeof chainTransfers.$inferSelect

/** The record of a transfer on a chain; undefined for none. */
export async function chainTransferOf(db: Db, key: string): Promise<ChainTransfer | undefined> {
  const [row] = await transferByKey(db).execute({ key })
  return row
}

/** Stores the blockchain service's state of a transfer. */
export const putChainTransfer = (tx: Tx, row: ChainTransfer): Promise<unknown> => put(tx).execute(row)

/** Why a deposit may not be credited: its transfer was reversed. Null if it was not, or there is no record of it. */
export async function reversalOf(db: Db, transactionId: string): Promise<string | null> {
  const [row] = await byTransaction(db).execute({ transactionId })
  if (!row?.reversedAt) return null
  return `Its transfer was taken off the chain at ${row.reversedAt.toISOString()}; it waits until it is confirmed again`
}

const transferByKey = byKey(chainTransfers, 'key')
const byTransaction = byKey(chainTransfers, 'transactionId')
const put = prepared((db) =>
  db
    .insert(chainTransfers)
    .values(params(chainTransfers))
    .onConflictDoUpdate({
      target: chainTransfers.key,
      set: {
        transactionId: param('transactionId'),
        confirmedAt: param('confirmedAt'),
        reversedAt: param('reversedAt'),
      },
    }),
)
