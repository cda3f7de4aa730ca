import {
  about,
  jsonObject,
  nullable,
  oneOf,
  optional,
  type Static,
  smallJsonObject,
  t,
  text,
  timestamp,
  uuid,
} from '@bursar/contracts/schema'
import { PaymentParty } from '@bursar/contracts/transaction-manager'
import { statuses, types } from './states'

export const type = () =>
  about(
    'DEPOSIT: money wired to the participant’s account. WITHDRAWAL: money paid out of it. TRANSFER: ' +
      'between two participants. DO_DEPOSIT: a digital-obligation deposit. INTERNAL_DEPOSIT: one booked by management',
    oneOf(types),
  )
export const status = () =>
  about(
    'PENDING, IN_REVIEW, APPROVED and PROCESSING are under way. COMPLETED, REJECTED, CANCELLED and FAILED are final',
    oneOf(statuses),
  )
export const comment = () => about('Why, for the history', t.Optional(nullable(t.String({ maxLength: 2000 }))))
export const transactionHash = () =>
  t.String({
    minLength: 1,
    maxLength: 128,
    pattern: '^[!-~]+$',
    patternProblem: 'must have visible characters only, and no spaces',
  })

/** Bank details as the caller gives them; fields/bank-codes.ts checks what is verifiable. */
export const BankAccount = t.Object(
  {
    accountNumber: about('The number of the account; an IBAN is checked', text(64)),
    routingNumber: about('The routing number of the bank; a US one and a SWIFT code are checked', text(64)),
    bankName: about('The name of the bank', text(255)),
  },
  { title: 'BankAccount', description: 'The external bank account that receives the money' },
)

/** The destination of a deposit's wire (spec 3). */
const WireInstructions = t.Object(
  {
    accountNumber: about('The account to wire to', t.String()),
    routingNumber: about('The routing number of its bank', t.String()),
    bankName: about('The custodian bank', t.String()),
    reference: about('The reference that the wire must carry', t.String()),
  },
  { title: 'WireInstructions' },
)

/** A payment (spec 3, Transaction manager transaction). */
export const Payment = t.Object(
  {
    id: uuid(),
    type: type(),
    status: status(),
    amount: t.String(),
    currency: about('The currency’s ISO 4217 code', t.String()),
    fromParticipant: about(
      'The id of the paying participant; null when the money comes from outside',
      nullable(uuid()),
    ),
    toParticipant: about('The id of the receiving participant; null when the money goes outside', nullable(uuid())),
    from: about('The participant that pays, and its account', nullable(PaymentParty)),
    to: about('The receiving participant and its account', nullable(PaymentParty)),
    reference: about('Unique per kind of payment', t.String()),
    description: nullable(t.String()),
    transactionHash: about('The bank’s or chain’s hash; null before it is known', nullable(t.String())),
    wireInstructions: about('Where to wire the money; only for a DEPOSIT', t.Optional(WireInstructions)),
    destinationAccount: t.Optional(BankAccount),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'Payment', description: 'A payment between banks' },
)
export type Payment = Static<typeof Payment>

/** One field of a payment before and after a change of its details. */
const FieldChange = t.Object(
  {
    field: about('The name of the field', t.String()),
    before: about('The old value', nullable(t.String())),
    after: about('The new value', nullable(t.String())),
  },
  { title: 'FieldChange' },
)
export type FieldChange = Static<typeof FieldChange>

export const HistoryLine = t.Object(
  {
    from: about('The status before; null for the creation', nullable(status())),
    to: about('The new status; the same when details changed', status()),
    by: about('The caller’s kind and id; null for an anonymous one', nullable(t.String())),
    comment: about('The caller’s reason', nullable(t.String())),
    changes: about('The details that changed', t.Array(FieldChange)),
    at: about('When', timestamp()),
  },
  { title: 'HistoryLine' },
)
export type HistoryLine = Static<typeof HistoryLine>

/** POST /transactions/additional-request/{transactionId}: asks for more information. */
export const NewAdditionalRequest = t.Object(
  {
    type: about('The kind of information', t.Optional(text(64))),
    message: about('The request, as readable text', t.String({ minLength: 1, maxLength: 4000 })),
    data: about('Any further data, stored unchanged', t.Optional(nullable(smallJsonObject()))),
  },
  {
    title: 'NewAdditionalRequest',
    examples: [{ type: 'RFI', message: 'Who is the beneficial owner of the sending account?' }],
  },
)
export type NewAdditionalRequest = Static<typeof NewAdditionalRequest>

export const AdditionalRequest = t.Object(
  {
    id: uuid(),
    transactionId: uuid(),
    type: about('The kind of information', t.String()),
    message: about('The request, as readable text', t.String()),
    data: about('Any further data; null for none', nullable(jsonObject())),
    by: about('The requester; null for an anonymous one', nullable(t.String())),
    createdAt: timestamp(),
  },
  { title: 'AdditionalRequest', description: 'A request for more information' },
)
export type AdditionalRequest = Static<typeof AdditionalRequest>

/** A payment with its history. */
export const PaymentDetail = t.Object(
  {
    ...Payment.properties,
    history: about('The changes of its status and details, oldest first; the last 200', t.Array(HistoryLine)),
    additionalRequests: about('The requests for information about it, oldest first', t.Array(AdditionalRequest)),
  },
  { title: 'PaymentDetail', description: 'A payment with its history' },
)
export type PaymentDetail = Static<typeof PaymentDetail>

/** PUT …/{reference} and …/{transactionId}: a change of status. */
export const StatusUpdate = t.Object(
  { status: status(), comment: comment(), transactionHash: optional(transactionHash()) },
  { title: 'StatusUpdate', examples: [{ status: 'APPROVED', comment: 'Within the limits' }] },
)
export type StatusUpdate = Static<typeof StatusUpdate>

/** PUT /withdrawal/{transactionId} */
export const WithdrawalStatusUpdate = t.Object(
  {
    ...StatusUpdate.properties,
    destinationAccount: about(
      'The destination as the caller read it: 409 if it was changed since',
      t.Optional(BankAccount),
    ),
  },
  { title: 'WithdrawalStatusUpdate', examples: [{ status: 'APPROVED', comment: 'Within the limits' }] },
)

/** The answer of routes that create or change one record. */
export const OnePayment = t.Object({ data: Payment }, { title: 'OnePayment' })
export const OnePaymentDetail = t.Object({ data: PaymentDetail }, { title: 'OnePaymentDetail' })
export const OneAdditionalRequest = t.Object({ data: AdditionalRequest }, { title: 'OneAdditionalRequest' })

export const ByHash = t.Object({ transactionHash: t.String() })
