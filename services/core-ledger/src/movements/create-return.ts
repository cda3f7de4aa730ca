import type { Tx } from '@bursar/store'
import { createTransaction } from './create-transaction'
import type { TransactionRecord } from './read-transactions'

/**
 * Creates the PENDING withdrawal that sends a deposit in suspense back, and holds its amount. It has the terms of the
 * deposit, whatever the present state of account, customer and asset. `id`: generated unless given.
 */
export const createReturn = (
  tx: Tx,
  { id: returns, accountId, customerId, participantId, amount, network, contractAddress, asset }: TransactionRecord,
  { destinationAddress, id }: { destinationAddress: string; id?: string },
  now: Date,
): Promise<TransactionRecord> =>
  createTransaction(
    tx,
    { accountId, customerId, participantId, asset: { ...asset, network, contractAddress, used: true } },
    { type: 'WITHDRAWAL', amount, destinationAddress, returns, ...(id === undefined ? {} : { id }) },
    now,
  )
