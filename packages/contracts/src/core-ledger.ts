import { readCall } from './call'
import { event, type LogWording } from './event'
import { nullable, oneOf, type Static, t, timestamp, uuid } from './schema'

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

/** The stations of a transaction, in their order (decisions, Gateway form). `review` only for what was frozen. */
export const phaseNames = ['created', 'screening', 'review', 'execution', 'confirmation'] as const
export type PhaseName = (typeof phaseNames)[number]
export const phaseStatuses = ['IN_PROGRESS', 'COMPLETED', 'FAILED'] as const

/** One station. */
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

/** A transaction as a change of its status has left it. */
const TransactionState = t.Object({
  /** The version of this shape. */
  v: t.Literal(1),
  id: uuid(),
  type: oneOf(transactionTypes),
  /** The status before; null for a new transaction. */
  from: nullable(oneOf(transactionStatuses)),
  status: oneOf(transactionStatuses),
  /** Why: a screening's reason, the rejection's, the failure's; null where there is none. At most 2,000 characters. */
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
  txHash: nullable(t.String()),
  reference: nullable(t.String()),
  /** As the gateway form was given it. */
  participantId: nullable(t.String()),
  phases: t.Array(TransactionPhase),
  /** When it happened. */
  at: timestamp(),
})
export type TransactionState = Static<typeof TransactionState>

/** How each status reads in the tracker (decisions, Tracker events). */
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
  if (state.txHash !== null) metadata.tx_hash = state.txHash
  if (state.reason !== null) metadata.detail = state.reason
  return { ...wording, metadata }
}

/** A transaction was made. It is PENDING: it waits for its screening. */
export const TransactionCreated = event('core-ledger.transaction.created', TransactionState, {
  consumers: ['log-tracker', 'notification', 'sanctions'],
  log: worded,
})
/** A transaction's status has changed. */
export const TransactionMoved = event('core-ledger.transaction.moved', TransactionState, {
  consumers: ['log-tracker', 'notification'],
  log: worded,
})

/** The catalogue of assets: what other services need of GET /assets. `contractAddress` is null for a native asset. */
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

/** Transactions, oldest first: what their screening needs. Query: `status`, `limit`, `offset`. */
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
