import { exampleAddress, exampleIds, exampleToken } from '@bursar/contracts/examples'
import {
  about,
  byId,
  jsonObject,
  nullable,
  oneOf,
  type Static,
  smallJsonObject,
  t,
  text,
  timestamp,
  uuid,
} from '@bursar/contracts/schema'
import { keysetQuery, queryInteger, queryOffset, queryTime, queryUuid, queryUuids } from '@bursar/http'
import { someId } from '../networks/fields'
import { statuses, transactionTypes } from './states'

export const status = () =>
  about(
    'PENDING: waits for screening. FROZEN: waits for review. APPROVED: is being executed. COMPLETED, REJECTED and ' +
      'FAILED are final',
    oneOf(statuses),
  )
const type = () => about('The type of the transaction', oneOf(transactionTypes))

/** Decimal string above 0, with at most the decimals of its asset (decisions, Amount). */
const amount = () => text(80)
const address = () => text(128)
/** One line, because it is shown in tables and exports. */
const reference = () => t.Optional(nullable(t.String({ maxLength: 255, format: 'single-line' })))

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
  {
    title: 'NewWithdrawal',
    examples: [
      {
        accountId: exampleIds.account,
        network: exampleToken.network,
        assetId: exampleIds.asset,
        amount: '12.50',
        destinationAddress: exampleAddress,
        reference: 'Invoice 204',
      },
    ],
  },
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
    /** Without spaces: they would make the same hash look like another. */
    txHash: t.String({
      minLength: 1,
      maxLength: 128,
      pattern: '^[!-~]+$',
      patternProblem: 'must have visible characters only, and no spaces',
    }),
    logIndex: t.Optional(t.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
    reference: reference(),
  },
  {
    title: 'NewDeposit',
    examples: [
      {
        accountId: exampleIds.account,
        network: exampleToken.network,
        assetId: exampleIds.asset,
        amount: '250',
        sourceAddress: exampleAddress,
        txHash: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    ],
  },
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
  {
    title: 'NewTransfer',
    examples: [
      {
        fromAccountId: exampleIds.account,
        toAccountId: exampleIds.otherAccount,
        assetId: exampleIds.asset,
        amount: '7.25',
        reference: 'Invoice 205',
      },
    ],
  },
)
export type NewTransfer = Static<typeof NewTransfer>

/** POST /transactions/complete-screening */
export const ScreeningResult = t.Object(
  {
    id: uuid(),
    isApproved: about('Whether the screening was passed; if not, the transaction is frozen', t.Boolean()),
    screeningData: t.Optional(nullable(smallJsonObject())),
  },
  {
    title: 'ScreeningResult',
    examples: [{ id: exampleIds.pendingDeposit, isApproved: true, screeningData: { provider: 'desk', score: 3 } }],
  },
)
export type ScreeningResult = Static<typeof ScreeningResult>

/** POST /transactions/:id/reject-frozen-… */
export const Rejection = t.Object(
  { reason: t.Optional(nullable(t.String({ maxLength: 1000 }))) },
  { title: 'Rejection', examples: [{ reason: 'The source of the money is not explained' }] },
)
export type Rejection = Static<typeof Rejection>

const reason = {
  reason: t.String({ minLength: 1, maxLength: 1000, pattern: '\\S', patternProblem: 'should not be blank' }),
}

/** POST /transactions/:id/fail */
export const Failure = t.Object(reason, {
  title: 'Failure',
  examples: [{ reason: 'The customer has withdrawn the order' }],
})

/** POST /transactions/:id/release */
export const Release = t.Object(reason, {
  title: 'Release',
  examples: [{ reason: 'The source of the money is explained by now' }],
})

/** POST /transactions/:id/return */
export const Return = t.Object(reason, {
  title: 'Return',
  examples: [{ reason: 'The customer was to pay from another address' }],
})

/** POST /transactions/:id/cover */
export const Cover = t.Object(reason, {
  title: 'Cover',
  examples: [{ reason: 'The platform has paid in what is missing' }],
})

/** `{enqueued: true}`; empty after a screening that was not passed. */
export const Enqueued = t.Object(
  { enqueued: about('The transaction will be executed', t.Optional(t.Literal(true))) },
  { title: 'Enqueued' },
)

export const Rejected = t.Object(
  {
    id: uuid(),
    status: about('The transaction is rejected, finally', t.Literal('REJECTED')),
    rejectionReason: t.String(),
  },
  { title: 'Rejected' },
)
export type Rejected = Static<typeof Rejected>

/** Spec 2, Transaction, service form. */
export const Transaction = t.Object(
  {
    id: uuid(),
    customerId: t.String(),
    accountId: t.String(),
    toAccountId: t.Optional(t.String()),
    assetId: uuid(),
    type: type(),
    status: status(),
    amount: t.String(),
    network: t.String(),
    sourceAddress: nullable(t.String()),
    destinationAddress: nullable(t.String()),
    reference: nullable(t.String()),
    returns: about('For a withdrawal that returns a deposit to its source: that deposit', t.Optional(uuid())),
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
    asset: t.Object({ id: uuid(), name: t.String(), code: t.String() }, { title: 'TransactionAsset' }),
    returnedBy: about(
      'For a deposit in suspense that is being or was returned: the withdrawal that returns it',
      t.Optional(uuid()),
    ),
    takenBack: about(
      'For a deposit that was credited or returned, and that its chain has taken back since: true until the chain confirms it again, or it is covered',
      t.Optional(t.Literal(true)),
    ),
    unbookedPayment: about(
      'For a return of a deposit: its chain has paid it beside the payment that is booked, or after it had failed or was rejected here and with another amount; true until it is covered',
      t.Optional(t.Literal(true)),
    ),
  },
  { title: 'TransactionWithAsset' },
)
export type TransactionWithAsset = Static<typeof TransactionWithAsset>

/** The filters of transaction lists. */
const filters = {
  status: t.Optional(status()),
  type: t.Optional(type()),
  customerId: t.Optional(text(128)),
  accountId: t.Optional(text(128)),
  assetId: t.Optional(queryUuid()),
  network: t.Optional(text(128)),
  from: t.Optional(about('Created at this time or later', queryTime())),
  to: t.Optional(about('Created at this time or earlier', queryTime())),
  reference: t.Optional(about('The caller’s own reference, an exact match', text(255))),
  txHash: t.Optional(about('The hash on its chain, with 0x or without', text(128))),
  address: t.Optional(about('The address that it came from or goes to', text(128))),
  q: t.Optional(about('A reference, hash or address: any of the three', text(255))),
}
/** Computed at current rates, not stored: the rows are compared one by one. */
const worthFilter = {
  minUsd: t.Optional(
    about(
      'Only those worth at least so many USD at current rates; scans all that the other filters leave',
      queryInteger({ minimum: 0, maximum: 1_000_000_000_000 }),
    ),
  ),
}
const Filters = t.Object(filters)
export type TransactionFilters = Static<typeof Filters>

/** GET /transactions: all of them by default. */
export const TransactionQuery = t.Object({
  limit: t.Optional(queryInteger({ minimum: 0 })),
  offset: t.Optional(queryOffset()),
  ...keysetQuery,
  ...filters,
  ...worthFilter,
})
export type TransactionQuery = Static<typeof TransactionQuery>

/** The most transactions of one request. */
const mostAtOnce = 100

/** GET /transactions/several */
export const SeveralQuery = t.Object({
  ids: about('Of these transactions', { ...queryUuids(mostAtOnce), examples: [[exampleIds.deposit]] }),
})

/** GET /transactions/export */
export const TransactionExport = t.Object({ order: keysetQuery.order, ...filters, ...worthFilter })

export const ById = byId(exampleIds.deposit)
