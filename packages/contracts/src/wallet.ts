import { batchCall } from './batch'
import { getHoldings } from './blockchain'
import { readCall, writeCall } from './call'
import { event } from './event'
import { orderState, type ToldState, toldState } from './order-states'
import { changeMark, changesCall } from './replica'
import { about, jsonObject, nullable, oneOf, type Static, t, text, timestamp, uuid } from './schema'

/** A wallet (spec 3, Wallet). */
export const Wallet = t.Object(
  {
    walletId: uuid(),
    accountId: uuid(),
    network: t.String(),
    address: t.String(),
    createdAt: timestamp(),
  },
  { title: 'Wallet' },
)

/** An account has got a wallet. */
export const WalletCreated = event('wallet.wallet.created', Wallet, {
  type: 'WALLET_CREATED',
  consumers: ['account', 'log-tracker'],
  log: ({ walletId, accountId, network, address }) => ({
    event_type: 'WALLET_CREATED',
    status: 'SUCCESS',
    metadata: { wallet_id: walletId, account_id: accountId, network, address },
  }),
})

/** The wallet of an account on a network; with `createIfNotExists=true` made where there is none, else 404. */
export const getWallet = readCall('wallet', 'GET', '/v1/wallets/account/:accountId/network/:network', Wallet)
/** For other services only: every address of an account, oldest first; [] when it has none. */
export const getWalletAddresses = readCall(
  'wallet',
  'GET',
  '/internal/accounts/:accountId/addresses',
  t.Array(t.String()),
)
/** For other services only: all wallets, in order of creation. */
export const walletChanges = changesCall('wallet', '/internal/wallets/changes', Wallet)
/** For other services only: 200 when the wallet service knows this account of its own, else 404. */
export const getWalletAccount = readCall(
  'wallet',
  'GET',
  '/internal/wallet-accounts/:walletAccountId',
  t.Object({ id: uuid() }),
)

/** A withdrawal to be carried out on a chain. `id` is the ledger's transaction: a repeat is the same withdrawal. */
export const WalletWithdrawal = t.Object(
  {
    id: uuid(),
    accountId: uuid(),
    network: text(128),
    assetCode: text(255),
    /** Null for the network's native asset. */
    contractAddress: nullable(t.String()),
    /** Decimal string in the asset's own unit. */
    amount: text(80),
    decimals: t.Integer({ minimum: 0, maximum: 38 }),
    destinationAddress: text(128),
    /**
     * The order was accepted before, and is unknown now: it may have been paid. It is carried out only as far as the
     * blockchain service knows it, or an operator decides (wallet:held).
     */
    wasAccepted: t.Optional(t.Boolean()),
  },
  { title: 'WalletWithdrawal' },
)
export type WalletWithdrawal = Static<typeof WalletWithdrawal>

/** Why it waits, and the way out if it waits for an operator; left out if it does not wait. */
const waitsFor = t.Optional(t.String())

/** The wallet service's record of a withdrawal (order-states.ts); it never forgets one. */
export const WithdrawalState = t.Object({ ...orderState, waitsFor }, { title: 'WithdrawalState' })
export type WithdrawalState = Static<typeof WithdrawalState>

/**
 * Orders a withdrawal, or answers the record of its id (a different order under a known id changes nothing). What
 * cannot be carried out is recorded and answered as `failed`. Any other refusal (4xx, 5xx) records nothing, and says
 * nothing about the withdrawal.
 */
export const startWithdrawal = writeCall('wallet', 'POST', '/internal/withdrawals', WalletWithdrawal, WithdrawalState)
/** The same for many. */
export const startWithdrawals = batchCall('wallet', '/internal/withdrawals/batch', WalletWithdrawal, WithdrawalState)
/** The record of a withdrawal; 404 for an unknown id. */
export const getWithdrawal = readCall('wallet', 'GET', '/internal/withdrawals/:id', WithdrawalState)
/** The same for many. */
export const getWithdrawals = batchCall('wallet', '/internal/withdrawals/records', uuid(), WithdrawalState)
/**
 * Records that an id must never be paid, if it is unknown or its order was never signed: from then on it is `failed`
 * with this reason. Any other withdrawal is unchanged and answered. 409, with nothing recorded, while it may have been
 * signed before: while it is held after a restore, and for an unknown one that was accepted before.
 */
export const refuseWithdrawal = writeCall(
  'wallet',
  'POST',
  '/internal/withdrawals/:id/refuse',
  t.Object({ reason: text(1000), wasAccepted: t.Optional(t.Boolean()) }),
  WithdrawalState,
)
/** An order as the wallet service has it. */
export const KnownOrder = t.Object({
  id: uuid(),
  kind: oneOf(['withdrawal', 'execution']),
  /** The account; null for an id that was refused without an order. */
  accountId: nullable(uuid()),
  network: nullable(t.String()),
  status: WithdrawalState.properties.status,
  txHash: nullable(t.String()),
})
export type KnownOrder = Static<typeof KnownOrder>
/**
 * For a ledger that has lost withdrawals in a restore, and for a blockchain service whose sends of that time may have
 * been paid. Null for an unknown id.
 */
export const getKnownOrders = batchCall('wallet', '/internal/orders/known', uuid(), KnownOrder)

/** The order that a transaction was signed for. */
export const SignedOrder = t.Object({
  id: uuid(),
  kind: oneOf(['withdrawal', 'execution']),
  /** The order's account. */
  accountId: uuid(),
  /** The paying address. */
  payer: t.String(),
  /** The contract of what a withdrawal pays; null for the network's native coin. */
  contractAddress: nullable(t.String()),
})
export type SignedOrder = Static<typeof SignedOrder>
/** For a blockchain service that has lost sends in a restore. Null: signed for no order. */
export const getSignedOrders = batchCall(
  'wallet',
  '/internal/signatures/orders',
  t.Object({ network: text(128), txHash: text(128) }),
  t.Object({ order: nullable(SignedOrder) }),
)

/** The records that changed since a version, for reconciliation. */
export const withdrawalChanges = changesCall('wallet', '/internal/withdrawals/changes', WithdrawalState)

const logStatuses = { broadcast: 'PENDING', confirmed: 'SUCCESS', failed: 'FAILURE' } as const

/** The log tracker's wording of a payment on a chain. */
const movement = (cause: 'withdrawal' | 'portfolio', { id, status, txHash, reason }: ToldState) => ({
  event_type: 'WALLET_TRANSACTION' as const,
  status: logStatuses[status],
  metadata: { cause, transaction_id: id, wallet_status: status, tx_hash: txHash, reason },
})

/** A withdrawal is on its way, or has ended. */
export const WithdrawalChanged = event(
  'wallet.withdrawal.changed',
  t.Object({ ...toldState, waitsFor, ...changeMark }),
  {
    type: 'WALLET_TRANSACTION',
    consumers: ['core-ledger', 'log-tracker'],
    log: (state) => movement('withdrawal', state),
    stateOf: ({ id }) => id,
  },
)

/** The execution of a portfolio's transaction is on its way, or has ended. */
export const ExecutionChanged = event(
  'wallet.execution.changed',
  t.Object({ ...toldState, waitsFor, accountId: uuid(), network: t.String() }),
  {
    type: 'WALLET_TRANSACTION',
    consumers: ['core-ledger', 'log-tracker'],
    log: (state) => movement('portfolio', state),
    stateOf: ({ id }) => id,
  },
)

/** The deployment's own hot wallet, by the kind of its address. No withdrawal may go to it. */
export const getHotAddresses = readCall(
  'wallet',
  'GET',
  '/internal/hot-addresses',
  t.Array(t.Object({ family: oneOf(['evm', 'solana']), address: t.String() })),
)

/**
 * Whether an address belongs to this deployment: a wallet's on any network, one of its token accounts, or the hot
 * wallet's.
 */
export const lookUpAddress = readCall(
  'wallet',
  'GET',
  '/internal/addresses/:network/:address',
  t.Object({ isOwn: t.Boolean() }),
)

/**
 * For other services only: what the addresses of this deployment hold on a network, its own hot wallet among them, for
 * reconciliation. Query: `after`, the `next` of the page before; none for the first page.
 */
export const getDeploymentHoldings = readCall(
  'wallet',
  'GET',
  '/internal/holdings/:network',
  t.Object({
    items: t.Array(
      t.Object({
        address: t.String(),
        /** Null for the hot wallet. */
        accountId: nullable(uuid()),
        holdings: getHoldings.answer,
      }),
    ),
    /** Null on the last page. */
    next: nullable(t.String()),
  }),
)

/** Spec 2, portfolio/execute: the raw payload goes through unchanged. */
export const PortfolioExecution = t.Object(
  {
    accountId: text(),
    chainId: t.Integer({ minimum: 1 }),
    transactionData: jsonObject(),
  },
  { title: 'PortfolioExecution' },
)
export const PortfolioExecuted = t.Object(
  { transactionId: t.String(), txHash: t.String() },
  { title: 'PortfolioExecuted' },
)
export const executePortfolio = writeCall(
  'wallet',
  'POST',
  '/internal/portfolio/execute',
  PortfolioExecution,
  PortfolioExecuted,
)

/** Spec 2, portfolio/sign-message: which optional fields are needed depends on `signMode`; the wallet service checks. */
export const MessageToSign = t.Object(
  {
    accountId: text(),
    chainId: t.Integer({ minimum: 1 }),
    signMode: text(64),
    message: t.Optional(t.String()),
    messageEncoding: t.Optional(t.String()),
    domain: t.Optional(jsonObject()),
    types: t.Optional(jsonObject()),
    typedDataMessage: t.Optional(jsonObject()),
  },
  { title: 'MessageToSign' },
)
export const SignedMessage = t.Object(
  {
    signature: about('The whole signature, in hex', t.String()),
    r: about('Its first half', t.String()),
    s: about('Its second half', t.String()),
    v: about('Its recovery value, 27 or 28', t.Integer()),
    messageHash: about('The hash that was signed', t.String()),
    message: about('What was signed', t.String()),
    walletAddress: t.String(),
    network: t.String(),
    signMode: about('How it was signed, in lower case', t.String()),
    status: about('The message is signed', t.Literal('completed')),
    completedAt: timestamp(),
  },
  { title: 'SignedMessage' },
)
export const signPortfolioMessage = writeCall(
  'wallet',
  'POST',
  '/internal/portfolio/sign-message',
  MessageToSign,
  SignedMessage,
)
