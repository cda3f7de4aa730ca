import { jsonObject, nullable, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { queryInteger } from '@bursar/http'
import { someId } from '../fields/fields'
import { statuses, transactionTypes } from './states'

/** Decimal string above 0; how many decimals it may have is its asset's matter (decisions, Amount). */
const amount = () => text(80)
const address = () => text(128)
const reference = () => t.Optional(nullable(t.String({ maxLength: 255 })))

/** POST /transactions/withdrawal */
export const NewWithdrawal = t.Object(
  {
    accountId: someId(),
    network: text(128),
    assetId: uuid(),
    amount: amount(),
    destinationAddress: address(),
    reference: reference(),
  },
  { title: 'NewWithdrawal' },
)
export type NewWithdrawal = Static<typeof NewWithdrawal>

/** POST /transactions/deposit */
export const NewDeposit = t.Object(
  {
    accountId: someId(),
    network: text(128),
    assetId: uuid(),
    amount: amount(),
    sourceAddress: address(),
    /** Without spaces: with them the same one would be another. */
    txHash: t.String({
      minLength: 1,
      maxLength: 128,
      pattern: '^[!-~]+$',
      patternProblem: 'must have visible characters only, and no spaces',
    }),
    /** Which transfer of that on-chain transaction it is. */
    logIndex: t.Optional(t.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
    reference: reference(),
  },
  { title: 'NewDeposit' },
)
export type NewDeposit = Static<typeof NewDeposit>

/** POST /transactions/transfer */
export const NewTransfer = t.Object(
  {
    fromAccountId: someId(),
    toAccountId: someId(),
    assetId: uuid(),
    amount: amount(),
    reference: reference(),
  },
  { title: 'NewTransfer' },
)
export type NewTransfer = Static<typeof NewTransfer>

/** POST /transactions/complete-screening */
export const ScreeningResult = t.Object(
  {
    id: uuid(),
    isApproved: t.Boolean(),
    screeningData: t.Optional(nullable(jsonObject())),
  },
  { title: 'ScreeningResult' },
)
export type ScreeningResult = Static<typeof ScreeningResult>

/** POST /transactions/:id/reject-frozen-… */
export const Rejection = t.Object(
  { reason: t.Optional(nullable(t.String({ maxLength: 1000 }))) },
  { title: 'Rejection' },
)
export type Rejection = Static<typeof Rejection>

/** POST /transactions/:id/fail */
export const Failure = t.Object(
  {
    reason: t.String({ minLength: 1, maxLength: 1000, pattern: '\\S', patternProblem: 'should not be blank' }),
  },
  { title: 'Failure' },
)
export type Failure = Static<typeof Failure>

/** `{enqueued: true}`; empty after a screening that was not passed. */
export const Enqueued = t.Object({ enqueued: t.Optional(t.Literal(true)) }, { title: 'Enqueued' })
export type Enqueued = Static<typeof Enqueued>

export const Rejected = t.Object(
  { id: uuid(), status: t.Literal('REJECTED'), rejectionReason: t.String() },
  { title: 'Rejected' },
)
export type Rejected = Static<typeof Rejected>

/** Spec 2, Transaction, service form. */
export const Transaction = t.Object(
  {
    id: uuid(),
    customerId: t.String(),
    accountId: t.String(),
    /** The receiver of a transfer. */
    toAccountId: t.Optional(t.String()),
    assetId: uuid(),
    type: oneOf(transactionTypes),
    status: oneOf(statuses),
    amount: t.String(),
    network: t.String(),
    sourceAddress: nullable(t.String()),
    destinationAddress: nullable(t.String()),
    reference: nullable(t.String()),
    txHash: nullable(t.String()),
    screeningData: nullable(jsonObject()),
    rejectionReason: t.Optional(t.String()),
    failureReason: t.Optional(t.String()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'Transaction' },
)
export type Transaction = Static<typeof Transaction>

export const TransactionWithAsset = t.Object(
  {
    ...Transaction.properties,
    asset: t.Object({ id: uuid(), name: t.String(), code: t.String() }),
  },
  { title: 'TransactionWithAsset' },
)
export type TransactionWithAsset = Static<typeof TransactionWithAsset>

/** GET /transactions: all of them by default. */
export const TransactionQuery = t.Object(
  {
    limit: t.Optional(queryInteger({ minimum: 0 })),
    offset: t.Optional(queryInteger({ minimum: 0 })),
    status: t.Optional(oneOf(statuses)),
    type: t.Optional(oneOf(transactionTypes)),
    customerId: t.Optional(text(128)),
    accountId: t.Optional(text(128)),
  },
  { title: 'TransactionQuery' },
)
export type TransactionQuery = Static<typeof TransactionQuery>
