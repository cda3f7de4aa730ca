import { mostInBatch } from '@bursar/contracts/batch'
import type { OrderStatus } from '@bursar/contracts/order-states'
import { and, asc, type Db, eq, gt, isNull, param, prepared, type Tx } from '@bursar/store'
import { authorisedExecutions, type Take } from './authorised-executions.table'

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
  if (status === 'failed' && txHash === null) await endExecution(tx, id, now)
  else if (status === 'confirmed' || status === 'failed') await confirm(tx).execute({ id, txHash, now })
  else if (txHash !== null) await noteSent(tx).execute({ id, txHash })
}

/** Ends an execution: its takes no longer count. */
export const endExecution = (tx: Tx, id: string, now: Date): Promise<unknown> => end(tx).execute({ id, now })

/** The open executions after this id, in order of id. */
export const openExecutions = (db: Db, after: string): Promise<OpenExecution[]> => openAfter(db).execute({ after })

/** Reduces the takes of an execution by a posted movement. */
export async function lessenTakes(tx: Tx, id: string, assetId: string, amount: bigint): Promise<void> {
  const [row] = await openById(tx).execute({ id })
  if (!row) return
  const takes: Take[] = row.takes
    .map((take) => (take.assetId === assetId ? { assetId, amount: `${BigInt(take.amount) - amount}` } : take))
    .filter((take) => BigInt(take.amount) > 0n)
  await setTakes(tx).execute({ id, takes })
}

const isOpen = and(eq(authorisedExecutions.id, param('id')), isNull(authorisedExecutions.endedAt))
const end = prepared((db) =>
  db
    .update(authorisedExecutions)
    .set({ endedAt: param('now') })
    .where(isOpen),
)
const confirm = prepared((db) =>
  db
    .update(authorisedExecutions)
    .set({ confirmedAt: param('now'), txHash: param('txHash') })
    .where(and(isOpen, isNull(authorisedExecutions.txHash))),
)
const noteSent = prepared((db) =>
  db
    .update(authorisedExecutions)
    .set({ sentHash: param('txHash') })
    .where(isOpen),
)
const openById = prepared((db) => db.select().from(authorisedExecutions).where(isOpen))
const openAfter = prepared((db) =>
  db
    .select()
    .from(authorisedExecutions)
    .where(and(isNull(authorisedExecutions.endedAt), gt(authorisedExecutions.id, param('after'))))
    .orderBy(asc(authorisedExecutions.id))
    .limit(mostInBatch),
)
const setTakes = prepared((db) =>
  db
    .update(authorisedExecutions)
    .set({ takes: param('takes') })
    .where(isOpen),
)
