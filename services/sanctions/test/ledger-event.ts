import { TransactionCreated, type TransactionState } from '@bursar/contracts/core-ledger'
import type { Envelope } from '@bursar/contracts/event'

/** The event of a new transaction, as the core ledger publishes it. */
export function ledgerEvent(fields: Partial<TransactionState>): Envelope<TransactionState> {
  const at = '2024-09-30T11:59:00.000Z'
  const id = Bun.randomUUIDv7()
  const data: TransactionState = {
    v: 1,
    id,
    type: 'DEPOSIT',
    from: null,
    status: 'PENDING',
    reason: null,
    amount: '1',
    assetId: id,
    assetCode: 'ETH',
    assetDecimals: 18,
    network: 'ethereum',
    customerId: '',
    accountId: id,
    toAccountId: null,
    sourceAddress: null,
    destinationAddress: null,
    txHash: null,
    reference: null,
    participantId: null,
    toParticipantId: null,
    phases: [],
    at,
    ...fields,
  }
  const { name, type } = TransactionCreated
  return { id: Bun.randomUUIDv7(), name, type, timestamp: at, requestId: null, service: 'core-ledger', data }
}
