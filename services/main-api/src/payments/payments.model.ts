import { about, nullable, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { PaymentParty, paymentStatuses, paymentTypes } from '@bursar/contracts/transaction-manager'
import { offsetQuery, pageOf, queryWords } from '@bursar/http'
import type { PaymentRow } from './payments'

/** A payment that involves a custodian bank (spec 3, Transaction manager transaction). */
export const CustodianTransaction = t.Object(
  {
    id: uuid(),
    type: about('The type of payment', oneOf(paymentTypes)),
    status: about('The status; COMPLETED, REJECTED, CANCELLED and FAILED are final', oneOf(paymentStatuses)),
    amount: about('A decimal string in the currency’s own unit', t.String()),
    currency: about('ISO 4217', t.String()),
    fromParticipant: about('The id of the participant that pays; null for a deposit', nullable(uuid())),
    toParticipant: about('The id of the receiving participant; null for a withdrawal', nullable(uuid())),
    from: about('The participant that pays, and its account', nullable(PaymentParty)),
    to: about('The receiving participant and its account', nullable(PaymentParty)),
    reference: t.String(),
    description: about('Its description; null for none', nullable(t.String())),
    transactionHash: about('Its hash at the bank or on its chain; null before it is known', nullable(t.String())),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'CustodianTransaction' },
)
export type CustodianTransaction = Static<typeof CustodianTransaction>

export const CustodianTransactionPage = pageOf(CustodianTransaction)

export const toCustodianTransaction = (row: PaymentRow): CustodianTransaction => ({
  id: row.id,
  type: row.type,
  status: row.status,
  amount: row.amount,
  currency: row.currency,
  fromParticipant: row.fromParticipantId,
  toParticipant: row.toParticipantId,
  from: row.from,
  to: row.to,
  reference: row.reference,
  description: row.description,
  transactionHash: row.transactionHash,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const sortFields = ['createdAt', 'updatedAt', 'amount', 'status', 'type'] as const

/**
 * Spec 3, Main API: custodian module. An array is written `status=A&status=B`, `status=A,B` or `status[]=A&status[]=B`.
 */
export const PaymentQuery = t.Object({
  ...offsetQuery,
  search: t.Optional(
    about('A text in the id, reference, description, hash or the participants’ names, case-insensitive', text(255)),
  ),
  status: t.Optional(about('Only payments of these statuses', queryWords(paymentStatuses))),
  'status[]': t.Optional(about('The same as `status`', queryWords(paymentStatuses))),
  type: t.Optional(about('Only payments of these types', queryWords(paymentTypes))),
  'type[]': t.Optional(about('The same as `type`', queryWords(paymentTypes))),
  sortBy: about(
    'The field to sort by; amounts are compared as numbers, also of different currencies; ties sort by creation',
    oneOf(sortFields, { default: 'createdAt' }),
  ),
  sortDirection: about('`ASC`: smallest first; `DESC`: largest first', oneOf(['ASC', 'DESC'], { default: 'DESC' })),
})
export type PaymentQuery = Static<typeof PaymentQuery>

export const ByTransactionId = t.Object({ transactionId: uuid() })

/** decisions, custodian balance: a bank's holdings for its participants in one currency. */
export const CustodianBalance = t.Object(
  {
    currency: about('ISO 4217', t.String()),
    available: about('`total` less `frozen`; below 0 when more is going out than there is', t.String()),
    frozen: about('The outgoing amount of payments under way', t.String()),
    total: about('The incoming minus the outgoing amount of completed payments', t.String()),
    asOf: about('When it was computed', timestamp()),
  },
  { title: 'CustodianBalance' },
)
export type CustodianBalance = Static<typeof CustodianBalance>
