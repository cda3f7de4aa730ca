import { eq, param, params, prepared, type Tx } from '@bursar/store'
import type { TransactionType } from '../transactions/states'
import { type WorkLane, work } from './work.table'

const laneOf: Record<TransactionType, WorkLane> = { DEPOSIT: 'ledger', TRANSFER: 'ledger', WITHDRAWAL: 'chain' }

/** Puts an approved transaction into the queue, due at once, in the approving commit. */
export const enqueueWork = (tx: Tx, { id, type }: { id: string; type: TransactionType }, at: Date): Promise<unknown> =>
  insertWork(tx).execute({
    transactionId: id,
    lane: laneOf[type],
    dueAt: at,
    attempts: 0,
    lastError: null,
    acceptedAt: null,
    createdAt: at,
  })

/** Takes a transaction out of the queue, in the commit that ends it. */
export const dequeueWork = (tx: Tx, id: string): Promise<unknown> => deleteWork(tx).execute({ id })

const insertWork = prepared((db) => db.insert(work).values(params(work)))
const deleteWork = prepared((db) => db.delete(work).where(eq(work.transactionId, param('id'))))
