import { batchCall } from './batch'
import { readCall, writeCall } from './call'
import { event } from './event'
import { orderState, toldState } from './order-states'
import { changeMark, changesCall } from './replica'
import { jsonObject, nullable, oneOf, type Static, t, text, timestamp, uuid } from './schema'

/** A network that this deployment can use. `simulated`: a chain of the blockchain service's own. */
export const Network = t.Object(
  {
    name: t.String(),
    kind: oneOf(['evm', 'solana', 'simulated']),
    /** The chain id of EIP-155; null for other networks. */
    chainId: nullable(t.Integer()),
    /** The network's own coin: `ETH`. */
    nativeCode: t.String(),
    nativeDecimals: t.Integer(),
  },
  { title: 'Network' },
)
export type Network = Static<typeof Network>

/** For other services only: all networks. */
export const getNetworks = readCall('blockchain', 'GET', '/internal/networks', t.Array(Network))

/** An order to send something on a chain, under the id of its cause: a repeat is the same order. */
export const NewSend = t.Object(
  {
    /** The ledger's withdrawal, or the portfolio execution. */
    id: uuid(),
    network: text(128),
    /** The paying address, of this deployment. */
    from: text(128),
    to: text(128),
    /** Null for the network's native coin. */
    contractAddress: nullable(text(128)),
    /** In the smallest unit, a whole number above 0 (0 where `transactionData` says more). */
    amount: t.String({ pattern: '^[0-9]{1,78}$' }),
    decimals: t.Integer({ minimum: 0, maximum: 38 }),
    /** Who pays the network's fee, an address of this deployment; null: the paying address. */
    feePayer: nullable(text(128)),
    /** A portfolio's raw transaction, forwarded unchanged; null for a payment. */
    transactionData: nullable(jsonObject()),
  },
  { title: 'NewSend' },
)
export type NewSend = Static<typeof NewSend>

/** The state of an order (order-states.ts). */
export const SendState = t.Object(orderState, { title: 'SendState' })
export type SendState = Static<typeof SendState>

/**
 * Accepts an order, or answers the state of the one with that id. What can never be sent is recorded and answered
 * `failed`.
 */
export const startSend = writeCall('blockchain', 'POST', '/internal/sends', NewSend, SendState)
/** The same for many. */
export const startSends = batchCall('blockchain', '/internal/sends/batch', NewSend, SendState)
/** The state of an order; 404 for an unknown id. */
export const getSend = readCall('blockchain', 'GET', '/internal/sends/:id', SendState)
/** The same for many. */
export const getSends = batchCall('blockchain', '/internal/sends/states', uuid(), SendState)
/** The orders whose state changed since a version. */
export const sendChanges = changesCall('blockchain', '/internal/sends/changes', SendState)
/** An order is on its way, or has ended. */
export const SendChanged = event('blockchain.send.changed', t.Object({ ...toldState, ...changeMark }), {
  consumers: ['wallet'],
  stateOf: ({ id }) => id,
})

/** A token that the deployment knows: its deposits are published, and its holdings shown. */
export const KnownToken = t.Object(
  {
    network: text(128),
    /** Null for the network's native coin. */
    contractAddress: nullable(text(128)),
    code: text(64),
    decimals: t.Integer({ minimum: 0, maximum: 38 }),
  },
  { title: 'KnownToken' },
)
export type KnownToken = Static<typeof KnownToken>
/**
 * Registers a token, or changes its code and decimals. Deposits of it that were recorded before are published then. 400
 * for an address of another network.
 */
export const registerToken = writeCall('blockchain', 'POST', '/internal/tokens', KnownToken, KnownToken)

/** An address to watch for deposits, and its account. */
export const WatchedAddress = t.Object(
  {
    network: text(128),
    address: text(128),
    accountId: uuid(),
    /** For a PORTFOLIO account: all movements at the address are published (MovementConfirmed). */
    isPortfolio: t.Optional(t.Boolean()),
  },
  { title: 'WatchedAddress' },
)
export type WatchedAddress = Static<typeof WatchedAddress>
/** Watches an address from now on; a repeat changes nothing. */
export const watchAddress = writeCall('blockchain', 'POST', '/internal/addresses', WatchedAddress, WatchedAddress)

/**
 * Money has arrived at a watched address, and is final by the network's confirmations. Identified by network, hash and
 * log index, which is the transfer's place in its transaction. EVM: 0 for the native coin, 1 + the position among the
 * transaction's own logs for tokens. Solana: twice the position of the account, 1 more for tokens. A transfer from
 * another account of this deployment is a deposit like any other; one by a portfolio's own execution is a movement.
 */
const Deposit = t.Object({
  id: uuid(),
  network: t.String(),
  txHash: t.String(),
  logIndex: t.Integer({ minimum: 0 }),
  accountId: uuid(),
  address: t.String(),
  sourceAddress: t.String(),
  /** Null for the network's native coin. */
  contractAddress: nullable(t.String()),
  /** In the smallest unit, above 0. */
  amount: t.String(),
  decimals: t.Integer(),
  confirmedAt: timestamp(),
  /** When a reorganisation took it off the chain, after it was published; null while it is on the chain. */
  reversedAt: nullable(timestamp()),
})
export const DepositConfirmed = event('blockchain.deposit.confirmed', Deposit, { consumers: ['core-ledger'] })
/** A published deposit is not on the chain any more. If it comes back it is confirmed again, in its old place. */
export const DepositReversed = event('blockchain.deposit.reversed', Deposit, { consumers: ['core-ledger'] })
export type ConfirmedDeposit = Static<typeof DepositConfirmed.payload>

/** The deposits confirmed since a version, for a ledger that missed events. */
export const depositChanges = changesCall('blockchain', '/internal/deposits/changes', DepositConfirmed.payload)

const AddressHoldings = t.Array(
  t.Object({
    contractAddress: nullable(t.String()),
    amount: t.String(),
    decimals: t.Integer(),
    /** What payments can take of it, where that is less: on Solana they take from the associated token account alone. */
    payable: t.Optional(t.String()),
  }),
)
/** For other services only: the holdings of an address, per asset (smallest unit), for reconciliation. */
export const getHoldings = readCall(
  'blockchain',
  'GET',
  '/internal/addresses/:network/:address/holdings',
  AddressHoldings,
)
/** The same for many addresses of a network. */
export const getManyHoldings = batchCall('blockchain', '/internal/holdings/:network', text(128), AddressHoldings)
/** For other services only: the parties of a transaction on a chain; 404 when the chain does not know it. */
export const getTransactionParties = readCall(
  'blockchain',
  'GET',
  '/internal/transactions/:network/:txHash/parties',
  t.Object({ network: t.String(), txHash: t.String(), from: t.Array(t.String()), to: t.Array(t.String()) }),
)

/** A transfer of a transaction, as recorded by the blockchain service or found on the chain. */
export const KnownTransfer = t.Object({
  logIndex: t.Integer({ minimum: 0 }),
  /** The account of the receiving address; null if it is not one of this deployment. */
  accountId: nullable(uuid()),
  sourceAddress: t.String(),
  toAddress: t.String(),
  contractAddress: nullable(t.String()),
  /** In the smallest unit. */
  amount: t.String(),
  /** Final by the network's confirmations. */
  isFinal: t.Boolean(),
})
export type KnownTransfer = Static<typeof KnownTransfer>
/**
 * For other services only: the transfers of a transaction to addresses of this deployment; [] if the chain does not
 * know it. Null if its network is unavailable.
 */
export const getKnownTransfers = batchCall(
  'blockchain',
  '/internal/transfers/known',
  t.Object({ network: text(128), txHash: text(128) }),
  t.Array(KnownTransfer),
)

/**
 * Coins of this deployment moved, finally, without a deposit or withdrawal of the ledger. `fee`: a network fee was
 * paid, from any address. `out` and `in`: at the address of a PORTFOLIO account. Identified by network, hash and place.
 */
const Movement = t.Object({
  id: uuid(),
  kind: oneOf(['fee', 'out', 'in']),
  network: t.String(),
  txHash: t.String(),
  /** In its transaction: `fee`, or `out` or `in` with the transfer's log index (`out:3`). */
  place: t.String(),
  /** The account of the address; null for the deployment's hot wallet. */
  accountId: nullable(uuid()),
  address: t.String(),
  /** The other side of the transfer; null for a fee. */
  counterparty: nullable(t.String()),
  /** Null for the network's native coin. */
  contractAddress: nullable(t.String()),
  /** In the smallest unit, above 0. */
  amount: t.String(),
  decimals: t.Integer(),
  /** The send that made it; null for a transaction of others. */
  orderId: nullable(uuid()),
  confirmedAt: timestamp(),
  /** When it was found to be off the chain; left out while it is on it. */
  reversedAt: t.Optional(timestamp()),
})
export const MovementConfirmed = event('blockchain.movement.confirmed', Movement, { consumers: ['core-ledger'] })
export type ConfirmedMovement = Static<typeof Movement>
/** A published movement is not on the chain any more. If it comes back it is confirmed again, in its old place. */
export const MovementReversed = event('blockchain.movement.reversed', Movement, { consumers: ['core-ledger'] })
/** The movements confirmed since a version, for a ledger that missed events. */
export const movementChanges = changesCall('blockchain', '/internal/movements/changes', Movement)

/** The published movements of a transaction. */
export const ToldMovements = t.Object({
  /** The places of the published movements. */
  places: t.Array(t.String()),
  /** The contracts of tokens whose movements are published once the token is registered. */
  unknownTokens: t.Array(t.String()),
  /** It is final and completely read: except for unknown tokens, nothing more will be published. */
  isWhole: t.Boolean(),
})
export type ToldMovements = Static<typeof ToldMovements>
/**
 * For the ledger, which frees the amounts that an execution might have taken once it has all its movements. Null as
 * above.
 */
export const getToldMovements = batchCall(
  'blockchain',
  '/internal/movements/told',
  t.Object({ network: text(128), txHash: text(128) }),
  ToldMovements,
)

/**
 * An order that the ledger does not know any more, with the wallet service's record of it: null where that has no
 * value.
 */
export const OrderToProve = t.Object({ id: uuid(), network: nullable(text(128)), txHash: nullable(text(128)) })
export type OrderToProve = Static<typeof OrderToProve>
/**
 * For a restored ledger: what forgotten orders took from their payers, by the chain. Each is an `out` with the order's
 * id, in its place as a movement; executions are answered as movements only. An order that this service has lost too is
 * found by its transaction. Null: the order is unknown, is no payment, nothing of it is final, or its network is
 * unavailable.
 */
export const getPaidOrders = batchCall('blockchain', '/internal/sends/paid', OrderToProve, Movement)

/** A transaction that the wallet service has signed, identified as on its chain. */
export const SignedBefore = t.Object({
  network: text(128),
  txHash: text(128),
  /** The address whose nonce it uses. */
  sender: text(128),
  /** EVM; null elsewhere. */
  nonce: nullable(t.Integer({ minimum: 0 })),
  /** Solana: its blockhash; null elsewhere. */
  blockhash: nullable(text(128)),
  /** The earliest time of a block that may contain it: a node that lacks blocks since then proves nothing. */
  signedAt: t.Optional(timestamp()),
})
export type SignedBefore = Static<typeof SignedBefore>
/**
 * Its fate. `open`: it may still be mined. `final`: it is paid. `reverted`: it is final and moved nothing. `dead`:
 * proven never to be mined, because its nonce is spent by another final transaction, or its blockhash has expired at a
 * final height.
 */
export const SignatureFate = t.Object({
  txHash: t.String(),
  fate: oneOf(['open', 'final', 'reverted', 'dead']),
  reason: nullable(t.String()),
})
export type SignatureFate = Static<typeof SignatureFate>
/** For the wallet service: read from the chain, not from the sends' records. Null while the network is unavailable. */
export const getSignatureFates = batchCall('blockchain', '/internal/signatures/fates', SignedBefore, SignatureFate)
