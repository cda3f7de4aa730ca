import type { OrderStatus } from '@bursar/contracts/order-states'
import { and, asc, type Db, gt, isNull, param, prepared, rowBy, type Tx, updateBy } from '@bursar/store'
import { authorisedExecutions } from './authorised-executions.table'

export type OpenExecution = typeof authorisedExecutions.$inferSelect

/** The state of an execution at the wallet service or the blockchain service. */
export interface ExecutionState {
  id: string
  status: OrderStatus
  txHash: string | null
}

/**
 * Records the state of an execution. One that never reached a block takes nothing; for one that did, reverted or not,
 * its takes count until all its movements have arrived.
 */
export async function noteState(tx: Tx, { id, status, txHash }: ExecutionState, now: Date): Promise<void> {
  if (status === 'failed' && txHash === null) return await endExecution(tx, id, now)
  const isFinal = status === 'confirmed' || status === 'failed'
  await changeOpen(tx, id, (row) => {
    if (!isFinal) return txHash === null ? {} : { sentHash: txHash }
    return row.txHash === null ? { confirmedAt: now, txHash } : {}
  })
}

/** Ends an execution: its takes no longer count. */
export const endExecution = (tx: Tx, id: string, now: Date): Promise<void> =>
  changeOpen(tx, id, () => ({ endedAt: now }))

/** Reduces the takes of an execution by a posted movement. */
export const lessenTakes = (tx: Tx, id: string, assetId: string, amount: bigint): Promise<void> =>
  changeOpen(tx, id, ({ takes }) => ({
    takes: takes
      .map((take) => (take.assetId === assetId ? { assetId, amount: `${BigInt(take.amount) - amount}` } : take))
      .filter((take) => BigInt(take.amount) > 0n),
  }))

/** Changes an execution that has not ended. */
async function changeOpen(tx: Tx, id: string, change: (row: OpenExecution) => Partial<OpenExecution>): Promise<void> {
  const row = await openById(tx, id)
  if (row) await update(tx).execute({ ...row, ...change(row) })
}

/** The open executions after an id, in order of id. */
export const openExecutions = (db: Db, place: { after: string; limit: number }): Promise<OpenExecution[]> =>
  openAfter(db).execute(place)

const openById = rowBy(authorisedExecutions, 'id', isNull(authorisedExecutions.endedAt))
const update = updateBy(authorisedExecutions, 'id')
const openAfter = prepared((db) =>
  db
    .select()
    .from(authorisedExecutions)
    .where(and(isNull(authorisedExecutions.endedAt), gt(authorisedExecutions.id, param('after'))))
    .orderBy(asc(authorisedExecutions.id))
    .limit(param('limit')),
)
