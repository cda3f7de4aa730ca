import { isoTime } from '@bursar/contracts/iso-time'
import { insertInto, newId, rowsBy, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { additionalRequests } from './additional-requests.table'
import { paymentById } from './payments'
import type { AdditionalRequest, NewAdditionalRequest } from './payments.model'

type Row = typeof additionalRequests.$inferSelect

/** The limit per payment: its detail returns all of them. */
const mostRequests = 100

/** Stores a request for more information about a payment. 404; 409 when there are too many already. */
export async function createAdditionalRequest(
  tx: Tx,
  paymentId: string,
  { type = 'INFORMATION', message, data = null }: NewAdditionalRequest,
  by: string | null,
  now: Date,
): Promise<Row> {
  await paymentById(tx, paymentId)
  if ((await additionalRequestsOf(tx, paymentId)).length >= mostRequests) {
    throw fail('CONFLICT', { message: `Transaction ${paymentId} already has ${mostRequests} additional requests` })
  }
  const row: Row = { id: newId(), paymentId, type, message, data, requestedBy: by, createdAt: now }
  await insertRequest(tx).execute(row)
  return row
}

/** Oldest first. */
export const additionalRequestsOf = rowsBy(additionalRequests, 'paymentId', 'id')

export const toAdditionalRequest = ({ paymentId, requestedBy, ...row }: Row): AdditionalRequest => ({
  ...row,
  transactionId: paymentId,
  by: requestedBy,
  createdAt: isoTime(row.createdAt),
})

const insertRequest = insertInto(additionalRequests)
