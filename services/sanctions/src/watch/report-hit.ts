import { AddressListed, type ScreeningSource } from '@bursar/contracts/sanctions'
import { emit, newId, type Tx } from '@bursar/store'
import { requestDelivery } from '../callbacks/request-delivery'
import type { WatchedRow } from './watch'

/**
 * Reports that a watched address is now listed: an event, with its log tracker message, and a webhook `sanctions.hit`.
 */
export async function reportHit(
  tx: Tx,
  { address, blockchain, participantId: owner, ledgerTransactionId }: WatchedRow,
  source: ScreeningSource,
  { at, callbackUrl }: { at: Date; callbackUrl: string | undefined },
): Promise<void> {
  const participantId = owner || null
  const id = newId()
  const hit = { id, address, blockchain, participantId, ledgerTransactionId, source, at: at.toISOString() }
  await emit(tx, AddressListed, { v: 1, ...hit }, at)
  const data = { hitId: id, address, blockchain, transactionId: ledgerTransactionId, source }
  await requestDelivery(
    tx,
    { requestId: id, eventType: 'sanctions.hit', participantId, callbackUrl, headers: null, data },
    at,
  )
}
