import { type Db, rowBy, rowsOf, type Tx, upsertInto } from '@bursar/store'
import { chainTransfers } from './chain-transfers.table'

export type ChainTransfer = typeof chainTransfers.$inferSelect

export const chainTransferOf = rowBy(chainTransfers, 'key')

export const putChainTransfer = (tx: Tx, row: ChainTransfer): Promise<unknown> => put(tx).execute(row)

/** Why a deposit may not be credited: its transfer was reversed. Null if it was not, or there is no record of it. */
export const reversalOf = async (db: Db, transactionId: string): Promise<string | null> =>
  (await reversalsOf(db, [transactionId])).get(transactionId) ?? null

/** The same for many: the reasons of those that may not be credited. */
export async function reversalsOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const reasons = new Map<string, string>()
  for (const { transactionId, reversedAt } of await byTransactions(db, ids)) {
    if (transactionId === null || reversedAt === null) continue
    const at = reversedAt.toISOString()
    reasons.set(transactionId, `Its transfer was taken off the chain at ${at}; it waits until it is confirmed again`)
  }
  return reasons
}

const byTransactions = rowsOf(chainTransfers, 'transactionId')
const put = upsertInto(chainTransfers, ['key'], ['transactionId', 'confirmedAt', 'reversedAt'])
