import { batchCall } from './batch'
import { readCall, writeCall } from './call'
import { event, type LogWording } from './event'
import { nullable, oneOf, type Static, t, text, timestamp, uuid } from './schema'

/** One asset's balance in one account (spec 2, Balance record); amounts are decimal strings. */
export const BalanceRecord = t.Object(
  {
    customerId: t.String(),
    accountId: t.String(),
    assetId: t.String(),
    assetCode: t.String(),
    assetName: t.String(),
    availableBalance: t.String(),
    frozenBalance: t.String(),
    totalBalance: t.String(),
  },
  { title: 'BalanceRecord' },
)
export type BalanceRecord = Static<typeof BalanceRecord>

/** An account's balances; [] when it has none. The asset's decimals are those of its amounts' unit. */
export const getAccountBalances = readCall(
  'core-ledger',
  'GET',
  '/internal/balances/account/:accountId',
  t.Array(t.Object({ ...BalanceRecord.properties, assetDecimals: t.Integer({ minimum: 0 }) })),
)

/** Spec 2, States and transitions. */
export const transactionStatuses = ['PENDING', 'FROZEN', 'APPROVED', 'COMPLETED', 'REJECTED', 'FAILED'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

export const transactionTypes = ['DEPOSIT', 'WITHDRAWAL', 'TRANSFER'] as const
export type TransactionType = (typeof transactionTypes)[number]

/** The phases of a transaction, in order (decisions, Gateway form). `review` only if it was frozen. */
export const phaseNames = ['created', 'screening', 'review', 'execution', 'confirmation'] as const
export type PhaseName = (typeof phaseNames)[number]
export const phaseStatuses = ['IN_PROGRESS', 'COMPLETED', 'FAILED'] as const

/** One phase. */
export const TransactionPhase = t.Object(
  {
    name: oneOf(phaseNames),
    status: oneOf(phaseStatuses),
    startedAt: timestamp(),
    completedAt: nullable(timestamp()),
    detail: nullable(t.String()),
  },
  { title: 'TransactionPhase' },
)
export type TransactionPhase = Static<typeof TransactionPhase>

/** A transaction after a change of its status. */
const TransactionState = t.Object({
  /** The version of this shape. */
  v: t.Literal(1),
  id: uuid(),
  type: oneOf(transactionTypes),
  /** The status before; null for a new transaction. */
  from: nullable(oneOf(transactionStatuses)),
  status: oneOf(transactionStatuses),
  /** The reason of a screening, rejection or failure; null if there is none. At most 2,000 characters. */
  reason: nullable(t.String()),
  /** Decimal string in the asset's own unit. */
  amount: t.String(),
  assetId: uuid(),
  assetCode: t.String(),
  assetDecimals: t.Integer({ minimum: 0 }),
  network: t.String(),
  /** Empty for an account that belongs to no customer. */
  customerId: t.String(),
  /** The account that pays out, or for a deposit the one that is paid into. */
  accountId: t.String(),
  /** The receiver of a transfer. */
  toAccountId: nullable(t.String()),
  sourceAddress: nullable(t.String()),
  destinationAddress: nullable(t.String()),
  /** For a withdrawal that returns a deposit to its source: that deposit. */
  returns: t.Optional(uuid()),
  txHash: nullable(t.String()),
  reference: nullable(t.String()),
  /** The account's participant: its customer's, or that of an omnibus or fee-payer account; null for none. */
  participantId: nullable(t.String()),
  /** For a transfer: the receiver's participant; null if there is none or it is unknown. */
  toParticipantId: nullable(t.String()),
  phases: t.Array(TransactionPhase),
  /** When it happened. */
  at: timestamp(),
})
export type TransactionState = Static<typeof TransactionState>

/** The tracker's wording of each status (decisions, Tracker events). */
const wordings: Record<
  TransactionStatus,
  (from: TransactionState['from']) => Omit<LogWording, 'metadata'> & { action: string }
> = {
  PENDING: () => ({ event_type: 'TRANSACTION_CREATED', status: 'PENDING', action: 'created' }),
  FROZEN: () => ({ event_type: 'TRANSACTION_CREATED', status: 'PENDING', action: 'frozen' }),
  APPROVED: (from) => ({
    event_type: 'TRANSACTION_CREATED',
    status: 'PENDING',
    action: from === 'FROZEN' ? 'review_approved' : 'screening_approved',
  }),
  COMPLETED: () => ({ event_type: 'TRANSACTION_COMPLETED', status: 'SUCCESS', action: 'completed' }),
  REJECTED: () => ({ event_type: 'TRANSACTION_CANCELLED', status: 'FAILURE', action: 'review_rejected' }),
  FAILED: () => ({ event_type: 'TRANSACTION_FAILED', status: 'FAILURE', action: 'failed' }),
}

function worded(state: TransactionState): LogWording {
  const { action, ...wording } = wordings[state.status](state.from)
  const metadata: Record<string, unknown> = {
    transaction_id: state.id,
    action,
    type: state.type,
    transaction_status: state.status,
    customer_id: state.customerId,
    account_id: state.accountId,
    asset_id: state.assetId,
    asset_code: state.assetCode,
    network: state.network,
    amount: state.amount,
  }
  if (state.returns !== undefined) metadata.returns = state.returns
  if (state.txHash !== null) metadata.tx_hash = state.txHash
  if (state.reason !== null) metadata.detail = state.reason
  return { ...wording, metadata }
}

/** A transaction was created: PENDING, waiting for its screening. */
export const TransactionCreated = event('core-ledger.transaction.created', TransactionState, {
  consumers: ['log-tracker', 'notification', 'sanctions'],
  log: worded,
})
/** A transaction's status has changed. */
export const TransactionMoved = event('core-ledger.transaction.moved', TransactionState, {
  consumers: ['log-tracker', 'notification'],
  log: worded,
})

/**
 * The catalogue of assets: the part of GET /assets that other services need. `contractAddress` is null for a native
 * asset.
 */
export const getAssets = readCall(
  'core-ledger',
  'GET',
  '/v1/assets',
  t.Array(
    t.Object({
      code: t.String(),
      blockchain: t.String(),
      contractAddress: nullable(t.String()),
      decimals: t.Integer({ minimum: 0 }),
    }),
  ),
)

/** Transactions, oldest first, with the fields that screening needs. Query: `status`, `limit`, `offset`. */
export const getPendingTransactions = readCall(
  'core-ledger',
  'GET',
  '/v1/transactions',
  t.Array(
    t.Object({
      id: uuid(),
      type: oneOf(transactionTypes),
      network: t.String(),
      sourceAddress: nullable(t.String()),
      destinationAddress: nullable(t.String()),
      createdAt: timestamp(),
    }),
  ),
)

/** An asset was created, changed or deleted. */
export const AssetChanged = event(
  'core-ledger.asset.changed',
  t.Object({
    v: t.Literal(1),
    code: t.String(),
    network: t.String(),
    /** Null for a native asset. */
    contractAddress: nullable(t.String()),
    decimals: t.Integer({ minimum: 0 }),
    isDeleted: t.Boolean(),
  }),
  { consumers: ['blockchain'] },
)

/** Exactly what a withdrawal may move, only under its id. */
export const AuthorisedTerms = t.Object({
  accountId: uuid(),
  network: t.String(),
  assetCode: t.String(),
  /** Null for the network's native asset. */
  contractAddress: nullable(t.String()),
  /** Decimal string in the asset's own unit. */
  amount: t.String(),
  decimals: t.Integer({ minimum: 0 }),
  destinationAddress: t.String(),
})
export type AuthorisedTerms = Static<typeof AuthorisedTerms>

/** How a withdrawal ended at the ledger. */
const WithdrawalEnd = t.Object({
  status: oneOf(['COMPLETED', 'REJECTED', 'FAILED'] as const),
  /** The hash of the transaction that has paid it; null if none has. */
  txHash: nullable(t.String()),
})
export type WithdrawalEnd = Static<typeof WithdrawalEnd>

/**
 * The ledger's authorisation of a withdrawal. With `terms` it is APPROVED and holds its amount: it may be signed.
 * Without, it may not be signed now, for this reason.
 */
export const Authorisation = t.Object({
  id: uuid(),
  terms: nullable(AuthorisedTerms),
  reason: nullable(t.String()),
  /** Why it must never be signed any more; left out while it has not ended, and while the books are closed. */
  ended: t.Optional(WithdrawalEnd),
})
export type Authorisation = Static<typeof Authorisation>

/**
 * For the wallet service, before each signature. Null for an unknown id: it never was a withdrawal, or a restore has
 * lost it. 503 for an unknown id while the books are closed: this may be the wrong ledger.
 */
export const authoriseWithdrawals = batchCall('core-ledger', '/internal/authorisations', uuid(), Authorisation)

/** A portfolio's transaction before it is signed, with the amounts that it takes as far as they can be decoded. */
export const ExecutionToAuthorise = t.Object({
  /** The wallet service's order. */
  id: uuid(),
  accountId: uuid(),
  network: text(64),
  /** In the smallest unit: the value with the highest fee, and the tokens of a transfer. */
  takes: t.Array(t.Object({ contractAddress: nullable(text(128)), amount: t.String({ pattern: '^[0-9]{1,78}$' }) }), {
    maxItems: 16,
  }),
  /** Whether its effect cannot be decoded. */
  isOpaque: t.Boolean(),
})
export type ExecutionToAuthorise = Static<typeof ExecutionToAuthorise>
/** For the wallet service, before it signs a portfolio's transaction. A repeat is judged anew. */
export const authoriseExecution = writeCall(
  'core-ledger',
  'POST',
  '/internal/authorisations/execution',
  ExecutionToAuthorise,
  t.Object({ id: uuid(), isAuthorised: t.Boolean(), reason: nullable(t.String()) }),
)

/** A payment that a participant ordered at the blockchain service: a withdrawal of its OMNIBUS account. */
export const OrderedWithdrawal = t.Object({
  /** The order's id: a repeat is the same withdrawal. */
  id: uuid(),
  accountId: uuid(),
  network: text(64),
  /** Null for the network's native asset. */
  contractAddress: nullable(text(128)),
  /** Decimal string in the asset's own unit. */
  amount: text(80),
  destinationAddress: text(128),
  reference: text(255),
})
export type OrderedWithdrawal = Static<typeof OrderedWithdrawal>

/** The state of the order at the ledger. Without a transaction it was refused for good, with the reason. */
export const OrderedState = t.Object({
  id: uuid(),
  transactionId: nullable(uuid()),
  status: nullable(oneOf(transactionStatuses)),
  reason: nullable(t.String()),
})
export type OrderedState = Static<typeof OrderedState>
/** A refusal is an answer (200) and is kept: the order is never carried out later. */
export const orderWithdrawal = writeCall(
  'core-ledger',
  'POST',
  '/internal/withdrawals',
  OrderedWithdrawal,
  OrderedState,
)
/** By order id. Null for an order that the ledger does not know. */
export const getOrderedStates = batchCall('core-ledger', '/internal/withdrawals/states', uuid(), OrderedState)
