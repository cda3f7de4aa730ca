import type { CsvColumns } from '@bursar/http'
import type { Payment } from '../payments/payments.model'

/** The table of GET /transactions/export. */
export const paymentColumns: CsvColumns<Payment> = {
  id: ({ id }) => id,
  type: ({ type }) => type,
  status: ({ status }) => status,
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  fromParticipantId: ({ fromParticipant }) => fromParticipant,
  fromParticipantName: ({ from }) => from?.participantName,
  toParticipantId: ({ toParticipant }) => toParticipant,
  toParticipantName: ({ to }) => to?.participantName,
  reference: ({ reference }) => reference,
  description: ({ description }) => description,
  transactionHash: ({ transactionHash }) => transactionHash,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
}
