import { readCall, writeCall } from './call'
import { event, type LogWording } from './event'
import { changeMark, changesCall } from './replica'
import { about, nullable, oneOf, type Static, t, text, timestamp, uuid } from './schema'

/** decisions, Transaction manager states. */
export const paymentStatuses = [
  'PENDING',
  'IN_REVIEW',
  'APPROVED',
  'PROCESSING',
  'COMPLETED',
  'REJECTED',
  'CANCELLED',
  'FAILED',
] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** DO_DEPOSIT: a digital-obligation deposit. INTERNAL_DEPOSIT: one that the management requests. */
export const paymentTypes = ['DEPOSIT', 'WITHDRAWAL', 'TRANSFER', 'DO_DEPOSIT', 'INTERNAL_DEPOSIT'] as const
export type PaymentType = (typeof paymentTypes)[number]

/** A party of a payment: the participant, and its account at a custodian bank (main API). */
export const PaymentParty = t.Object(
  {
    participantId: uuid(),
    participantName: about('As it was called when the payment was made', t.String()),
    participantBankId: about('Its account at a custodian bank', uuid()),
    custodianBankId: about('The custodian bank that keeps the account', uuid()),
  },
  { title: 'PaymentParty' },
)
export type PaymentParty = Static<typeof PaymentParty>

/** A payment between banks as other services see it (spec 3, Transaction manager transaction). */
export const PaymentRecord = t.Object({
  id: uuid(),
  type: oneOf(paymentTypes),
  status: oneOf(paymentStatuses),
  /** Decimal string in the currency's own unit. */
  amount: t.String(),
  /** ISO 4217. */
  currency: t.String(),
  /** Null where the money comes from outside: a deposit. */
  from: nullable(PaymentParty),
  /** Null where it goes outside: a withdrawal. */
  to: nullable(PaymentParty),
  reference: t.String(),
  description: nullable(t.String()),
  /** The bank's or chain's hash, once it is known. */
  transactionHash: nullable(t.String()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type PaymentRecord = Static<typeof PaymentRecord>

/** A payment after a move. */
const PaymentState = t.Object({
  /** The version of this shape. */
  v: t.Literal(1),
  ...PaymentRecord.properties,
  /** The status before; null for a new payment. */
  previous: nullable(oneOf(paymentStatuses)),
  /** The reason given for the move; null without one. */
  comment: nullable(t.String()),
  ...changeMark,
})
export type PaymentState = Static<typeof PaymentState>

/** How each status reads in the tracker (spec 3, Events 1). */
const wordings: Record<PaymentStatus, Omit<LogWording, 'metadata'>> = {
  PENDING: { event_type: 'TRANSACTION_CREATED', status: 'PENDING' },
  IN_REVIEW: { event_type: 'TRANSACTION_CREATED', status: 'PENDING' },
  APPROVED: { event_type: 'TRANSACTION_CREATED', status: 'PENDING' },
  PROCESSING: { event_type: 'TRANSACTION_CREATED', status: 'PENDING' },
  COMPLETED: { event_type: 'TRANSACTION_COMPLETED', status: 'SUCCESS' },
  REJECTED: { event_type: 'TRANSACTION_CANCELLED', status: 'FAILURE' },
  CANCELLED: { event_type: 'TRANSACTION_CANCELLED', status: 'FAILURE' },
  FAILED: { event_type: 'TRANSACTION_FAILED', status: 'FAILURE' },
}

const worded = (state: PaymentState): LogWording => ({
  ...wordings[state.status],
  metadata: {
    transaction_id: state.id,
    action: state.previous === null ? 'created' : state.status.toLowerCase(),
    type: state.type,
    transaction_status: state.status,
    amount: state.amount,
    currency: state.currency,
    from_participant: state.from?.participantId ?? null,
    to_participant: state.to?.participantId ?? null,
    reference: state.reference,
    ...(state.comment === null ? {} : { detail: state.comment.slice(0, 2000) }),
  },
})

const consumers = ['log-tracker', 'main-api', 'notification'] as const

/** A payment was made; it is PENDING. */
export const PaymentCreated = event('transaction-manager.payment.created', PaymentState, { consumers, log: worded })
/** A payment's status has changed. */
export const PaymentMoved = event('transaction-manager.payment.moved', PaymentState, { consumers, log: worded })

/** For other services only: the payments that changed. */
export const paymentChanges = changesCall('transaction-manager', '/internal/payments/changes', PaymentRecord)

/** decisions, Credit line: of a participant in one currency. Amounts are decimal strings; available = limit - used. */
export const CreditLine = t.Object(
  {
    participantId: uuid(),
    currency: t.String(),
    limit: about('How much may be used at once', t.String()),
    used: about('How much is used now', t.String()),
    available: about('What is left of the limit', t.String()),
    expiresAt: about('When it ends; null for never', nullable(timestamp())),
  },
  { title: 'CreditLine' },
)
export type CreditLine = Static<typeof CreditLine>

/** For the main API: the credit lines of participants. Query: `participantIds`, separated by commas. */
export const listCreditLines = readCall('transaction-manager', 'GET', '/internal/credit-lines', t.Array(CreditLine))
export const CreditLimit = t.Object({
  currency: text(3),
  limit: t.String(),
  expiresAt: t.Optional(nullable(timestamp())),
})
export type CreditLimit = Static<typeof CreditLimit>
/** For the main API: sets a limit; 400 for an unknown currency or an invalid amount, 409 below the used amount. */
export const setCreditLine = writeCall(
  'transaction-manager',
  'PUT',
  '/internal/credit-lines/:participantId',
  CreditLimit,
  CreditLine,
)
