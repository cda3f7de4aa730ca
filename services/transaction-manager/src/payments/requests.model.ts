import { type ExampleId, exampleIds, exampleNames } from '@bursar/contracts/examples'
import { about, nullable, oneOf, optional, type Static, t, text, uuid } from '@bursar/contracts/schema'
import { BankAccount, comment, Payment, transactionHash } from './payments.model'

/** Decimal string above 0; its decimals depend on the currency (decisions, Amount). */
const amount = () => about('A decimal string above 0, with at most the decimals of the currency', text(80))
const currency = () => about('The currency’s ISO 4217 code', text(3))
const bankId = (whose: string) =>
  about(`${whose}: the id of its account at a custodian bank, or its own id for its account in the currency`, text(128))
/** One line, because tables and exports show it. */
const description = () => t.Optional(nullable(t.String({ maxLength: 1000, format: 'single-line' })))

/**
 * The characters that banks accept (ASCII), with a letter or digit, since a reference is part of paths. The gateway refuses
 * paths in which slashes hide empty or dot segments: a deposit with such a reference could not be moved.
 */
const reference = () =>
  about(
    'Unique per kind of payment; generated when absent',
    t.Optional(
      nullable(
        t.String({
          minLength: 1,
          maxLength: 140,
          pattern: '^(?!(?:.*[/\\\\])?\\.{0,2}(?:[/\\\\]|$))[ -~]*[0-9A-Za-z][ -~]*$',
          patternProblem:
            'must have ASCII characters only, including a letter or digit, and between slashes more than dots',
        }),
      ),
    ),
  )

/** POST /deposit (spec 3), /do-deposit and /management/deposit. */
export const NewDeposit = t.Object(
  {
    amount: amount(),
    currency: currency(),
    participantBankId: bankId('The receiving participant'),
    reference: reference(),
    description: description(),
  },
  {
    title: 'NewDeposit',
    examples: [
      {
        amount: '1000.00',
        currency: 'USD',
        participantBankId: exampleIds.payeeBank,
        description: 'Funding of March',
      },
    ],
  },
)
export type NewDeposit = Static<typeof NewDeposit>

/** POST /withdrawal (spec 3). */
export const NewWithdrawal = t.Object(
  {
    amount: amount(),
    currency: currency(),
    participantBankId: bankId('The paying participant'),
    destinationAccount: BankAccount,
    reference: reference(),
    description: description(),
  },
  {
    title: 'NewWithdrawal',
    examples: [
      {
        amount: '250.00',
        currency: 'USD',
        participantBankId: exampleIds.payerBank,
        destinationAccount: { accountNumber: '000123456789', routingNumber: '021000021', bankName: 'Atlantic Trust' },
        description: 'Payroll of March',
      },
    ],
  },
)
export type NewWithdrawal = Static<typeof NewWithdrawal>

const transferExample = {
  amount: '75.50',
  currency: 'USD',
  fromParticipantBankId: exampleIds.payerBank,
  toParticipantBankId: exampleIds.payeeBank,
  description: 'Invoice 204',
}

/** POST /transfer (spec 3). */
export const NewTransfer = t.Object(
  {
    amount: amount(),
    currency: currency(),
    fromParticipantBankId: bankId('The participant that pays'),
    toParticipantBankId: bankId('The receiving participant'),
    reference: reference(),
    description: description(),
  },
  { title: 'NewTransfer', examples: [transferExample] },
)
export type NewTransfer = Static<typeof NewTransfer>

/** POST /transfer/execute-many-send-payment: each is created or refused independently. */
export const ManyTransfers = t.Object(
  {
    transfers: about(
      'The transfers, in the order of their creation',
      t.Array(NewTransfer, { minItems: 1, maxItems: 100 }),
    ),
  },
  { title: 'ManyTransfers', examples: [{ transfers: [transferExample] }] },
)
export type ManyTransfers = Static<typeof ManyTransfers>

const TransferError = t.Object(
  {
    code: about('The code of the error', t.String()),
    message: about('The problem, as readable text', t.String()),
  },
  { title: 'TransferError' },
)
const TransferAnswer = t.Object(
  {
    index: about('The transfer’s index, from 0', t.Integer()),
    status: about('The HTTP status that a single request would have had', t.Integer()),
    transaction: t.Optional(Payment),
    error: about('Why it was refused; absent when it was created', t.Optional(TransferError)),
  },
  { title: 'TransferAnswer' },
)
export const ManyAnswers = t.Object(
  { data: about('One result per transfer, in the same order', t.Array(TransferAnswer)) },
  { title: 'ManyAnswers' },
)
export type ManyAnswers = Static<typeof ManyAnswers>

/** POST /transfer/cancel */
export const Cancellation = t.Object(
  { transactionId: uuid(), comment: comment() },
  { title: 'Cancellation', examples: [{ transactionId: exampleIds.paymentToCancel, comment: 'Sent twice' }] },
)
export type Cancellation = Static<typeof Cancellation>

/** PUT /transfer/{transactionId}/review */
export const Review = t.Object(
  {
    status: about(
      'IN_REVIEW: the review begins. APPROVED, REJECTED: its result',
      oneOf(['IN_REVIEW', 'APPROVED', 'REJECTED']),
    ),
    comment: comment(),
  },
  { title: 'Review', examples: [{ status: 'APPROVED', comment: 'The invoice was seen' }] },
)
export type Review = Static<typeof Review>

/** PUT /deposit/{transactionId}/update */
export const DepositChanges = t.Object(
  { description: description(), transactionHash: optional(transactionHash()) },
  { title: 'DepositChanges', examples: [{ description: 'Funding of March, second part' }] },
)

/** PUT /withdrawal/{transactionId}/update */
export const WithdrawalChanges = t.Object(
  {
    description: description(),
    transactionHash: optional(transactionHash()),
    destinationAccount: t.Optional(BankAccount),
  },
  { title: 'WithdrawalChanges', examples: [{ description: 'Payroll of March, corrected' }] },
)
export type WithdrawalChanges = Static<typeof WithdrawalChanges>

/** The path of one payment; `bun run seed` creates the example. */
export const ByTransactionId = (example: ExampleId) =>
  t.Object({ transactionId: { ...uuid(), examples: [exampleIds[example]] } })

/** The path of a deposit by its reference; `bun run seed` creates the example. */
export const ByReference = (example: 'deposit' | 'doDeposit') =>
  t.Object({ reference: { ...text(140), examples: [exampleNames[example]] } })

/** PUT /deposit/{transactionId}/update: the path parameter `reference` is an id. */
export const DepositToChange = t.Object({
  reference: about('The id of the deposit', { ...uuid(), examples: [exampleIds.paymentDeposit] }),
})

/** Why a payment is refused, for the OpenAPI document. */
export const refusals = {
  404: 'The bank account is unknown',
  409: 'The participant is not approved, its credit line does not allow it, or the reference is taken',
  422: 'The account is kept in another currency, or the Idempotency-Key was used for another request',
  502: 'The main API gave an answer that cannot be used',
  503: 'The bank account cannot be looked up right now',
  504: 'The main API did not answer in time',
}

/** Why a change of status is refused. */
export const moveRefusals = {
  409: 'The state table has no such transition, another request came first, a participant is paused, offboarded or deleted, or the transactionHash differs',
}
