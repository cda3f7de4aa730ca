import { readCall, writeCall } from './call'
import { jsonObject, nullable, oneOf, type Static, t, text, timestamp, uuid } from './schema'

/** A wallet as find-or-create answers it (spec 3, Wallet). */
export const Wallet = t.Object({
  walletId: uuid(),
  accountId: uuid(),
  network: t.String(),
  address: t.String(),
  createdAt: timestamp(),
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
/** For other services only: 200 when the wallet service knows this account of its own, else 404. */
export const getWalletAccount = readCall(
  'wallet',
  'GET',
  '/internal/wallet-accounts/:walletAccountId',
  t.Object({ id: uuid() }),
)

/** A withdrawal to be carried out on chain. `id` is the ledger's transaction: the same again is the same withdrawal. */
export const WalletWithdrawal = t.Object({
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
})
export type WalletWithdrawal = Static<typeof WalletWithdrawal>

/**
 * How a withdrawal stands on chain. `pending`: accepted, not yet final. `confirmed`: final, with its hash. `failed`:
 * definitely not carried out and never will be, with the reason. `unknown`: broadcast, its fate not known yet; ask again.
 */
export const WalletWithdrawalState = t.Object({
  id: uuid(),
  status: oneOf(['pending', 'confirmed', 'failed', 'unknown']),
  txHash: nullable(t.String()),
  reason: nullable(t.String()),
})
export type WalletWithdrawalState = Static<typeof WalletWithdrawalState>

/** Begins a withdrawal, or answers how the one of that id stands. 422: it can never be carried out. */
export const startWithdrawal = writeCall(
  'wallet',
  'POST',
  '/internal/withdrawals',
  WalletWithdrawal,
  WalletWithdrawalState,
)
/** 404 for an id whose withdrawal it never took: only then is a 422 of starting it definite. */
export const getWithdrawal = readCall('wallet', 'GET', '/internal/withdrawals/:id', WalletWithdrawalState)

/** Spec 2, portfolio/execute: the raw payload goes through unchanged. */
export const PortfolioExecution = t.Object({
  accountId: text(),
  chainId: t.Integer({ minimum: 1 }),
  transactionData: jsonObject(),
})
export const PortfolioExecuted = t.Object({ transactionId: t.String(), txHash: t.String() })
export const executePortfolio = writeCall(
  'wallet',
  'POST',
  '/internal/portfolio/execute',
  PortfolioExecution,
  PortfolioExecuted,
)

/** Spec 2, portfolio/sign-message: which optional fields are needed depends on `signMode`; the wallet service checks. */
export const MessageToSign = t.Object({
  accountId: text(),
  chainId: t.Integer({ minimum: 1 }),
  signMode: text(64),
  message: t.Optional(t.String()),
  messageEncoding: t.Optional(t.String()),
  domain: t.Optional(jsonObject()),
  types: t.Optional(jsonObject()),
  typedDataMessage: t.Optional(jsonObject()),
})
export const SignedMessage = t.Object({
  signature: t.String(),
  r: t.String(),
  s: t.String(),
  v: t.Integer(),
  messageHash: t.String(),
  message: t.String(),
  walletAddress: t.String(),
  network: t.String(),
  signMode: t.String(),
  status: t.Literal('completed'),
  completedAt: timestamp(),
})
export const signPortfolioMessage = writeCall(
  'wallet',
  'POST',
  '/internal/portfolio/sign-message',
  MessageToSign,
  SignedMessage,
)
