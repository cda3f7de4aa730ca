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
    /** EIP-155; null for what has none. */
    chainId: nullable(t.Integer()),
    /** The network's own coin: `ETH`. */
    nativeCode: t.String(),
    nativeDecimals: t.Integer(),
  },
  { title: 'Network' },
)
export type Network = Static<typeof Network>

/** For other services only: the networks that there are. */
export const getNetworks = readCall('blockchain', 'GET', '/internal/networks', t.Array(Network))

/** An order to send something on a chain, under the id of its cause: the same again is the same order. */
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

/** How an order stands (order-states.ts). */
export const SendState = t.Object(orderState, { title: 'SendState' })
export type SendState = Static<typeof SendState>

/** Takes an order, or answers how the one of that id stands. What can never be sent is recorded and answered `failed`. */
export const startSend = writeCall('blockchain', 'POST', '/internal/sends', NewSend, SendState)
/** The same for many. */
export const startSends = batchCall('blockchain', '/internal/sends/batch', NewSend, SendState)
/** How an order stands; 404 for an id that no order came for. */
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
 * Makes a token known; one that is known gets this code and these decimals. Deposits of it that were recorded before are
 * published then. 400 for an address of another network.
 */
export const registerToken = writeCall('blockchain', 'POST', '/internal/tokens', KnownToken, KnownToken)

/** An address whose deposits are to be seen, and the account that they are for. */
export const WatchedAddress = t.Object(
  {
    network: text(128),
    address: text(128),
    accountId: uuid(),
    /** Of a PORTFOLIO account: all that moves at it is told (MovementConfirmed). */
    isPortfolio: t.Optional(t.Boolean()),
  },
  { title: 'WatchedAddress' },
)
export type WatchedAddress = Static<typeof WatchedAddress>
/** Watches an address from now on; the same again changes nothing. */
export const watchAddress = writeCall('blockchain', 'POST', '/internal/addresses', WatchedAddress, WatchedAddress)

/**
 * Money has arrived at a watched address and is final by the network's confirmations. Told apart by network, hash and
 * log index, which is the transfer's place in its transaction. EVM: 0 for the native coin, 1 + the position among the
 * transaction's own logs for tokens. Solana: twice the position of the account, 1 more for tokens. What another account
 * of this deployment has sent is a deposit like any other; what a portfolio's own execution brings is a movement.
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
  /** When a reorganisation took it off the chain again, after it was published; null: it is on the chain. */
  reversedAt: nullable(timestamp()),
})
export const DepositConfirmed = event('blockchain.deposit.confirmed', Deposit, { consumers: ['core-ledger'] })
/** A published deposit is not on the chain any more. Should it come back it is confirmed again, in its old place. */
export const DepositReversed = event('blockchain.deposit.reversed', Deposit, { consumers: ['core-ledger'] })
export type ConfirmedDeposit = Static<typeof DepositConfirmed.payload>

/** The deposits confirmed since a version, for a ledger that missed events. */
export const depositChanges = changesCall('blockchain', '/internal/deposits/changes', DepositConfirmed.payload)

const AddressHoldings = t.Array(
  t.Object({ contractAddress: nullable(t.String()), amount: t.String(), decimals: t.Integer() }),
)
/** For other services only: what an address holds, per asset (smallest unit), for reconciliation. */
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

/** A transfer of a transaction, as the blockchain service knows it or finds it on the chain. */
export const KnownTransfer = t.Object({
  logIndex: t.Integer({ minimum: 0 }),
  /** Of the receiving address; null when that is none of this deployment. */
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
 * For other services only: the transfers of a transaction to addresses of this deployment; [] when the chain does not
 * know it. Null while its network cannot be asked.
 */
export const getKnownTransfers = batchCall(
  'blockchain',
  '/internal/transfers/known',
  t.Object({ network: text(128), txHash: text(128) }),
  t.Array(KnownTransfer),
)

/**
 * Coins of this deployment moved without a deposit or withdrawal of the ledger's, and that is final. `fee`: a network fee
 * was paid, by whoever's address. `out` and `in`: at the address of a PORTFOLIO account. Told apart by network, hash and
 * place.
 */
const Movement = t.Object({
  id: uuid(),
  kind: oneOf(['fee', 'out', 'in']),
  network: t.String(),
  txHash: t.String(),
  /** In its transaction: `fee`, or `out` or `in` with the transfer's log index (`out:3`). */
  place: t.String(),
  /** Whose address it is; null for the deployment's hot wallet. */
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
  /** When it was found to be off the chain again; left out while it is on it. */
  reversedAt: t.Optional(timestamp()),
})
export const MovementConfirmed = event('blockchain.movement.confirmed', Movement, { consumers: ['core-ledger'] })
export type ConfirmedMovement = Static<typeof Movement>
/** A movement that was told is not on the chain any more. Should it come back it is confirmed again, in its old place. */
export const MovementReversed = event('blockchain.movement.reversed', Movement, { consumers: ['core-ledger'] })
/** The movements confirmed since a version, for a ledger that missed events. */
export const movementChanges = changesCall('blockchain', '/internal/movements/changes', Movement)

/** What was told of a transaction's movements so far. */
export const ToldMovements = t.Object({
  /** The places of all that was told. */
  places: t.Array(t.String()),
  /** The contracts of what is to be told once somebody registers the token. */
  unknownTokens: t.Array(t.String()),
  /** It is final and was read as such: but for unknown tokens nothing more of it will be told. */
  isWhole: t.Boolean(),
})
export type ToldMovements = Static<typeof ToldMovements>
/** For the ledger, which frees what an execution might have taken once it has all that it did. Null as above. */
export const getToldMovements = batchCall(
  'blockchain',
  '/internal/movements/told',
  t.Object({ network: text(128), txHash: text(128) }),
  ToldMovements,
)

/** An order that the ledger does not know (any more), with what the wallet service says of it: null where that says nothing. */
export const OrderToProve = t.Object({ id: uuid(), network: nullable(text(128)), txHash: nullable(text(128)) })
export type OrderToProve = Static<typeof OrderToProve>
/**
 * For the ledger after it was set back: what orders that it has forgotten have taken from their payers, by the chain.
 * Each as an `out` with the order's id, in the place that it has as a movement; the orders of executions are told as
 * movements alone. An order that this service has lost, too, is found by its transaction. Null: nobody knows it, it is no
 * payment, nothing of it is final, or its network cannot be asked.
 */
export const getPaidOrders = batchCall('blockchain', '/internal/sends/paid', OrderToProve, Movement)

/** A transaction that the wallet service has signed, by what makes it unique on its chain. */
export const SignedBefore = t.Object({
  network: text(128),
  txHash: text(128),
  /** Whose nonce it takes. */
  sender: text(128),
  /** EVM; null elsewhere. */
  nonce: nullable(t.Integer({ minimum: 0 })),
  /** Solana: the blockhash that it names; null elsewhere. */
  blockhash: nullable(text(128)),
  /** From when on a block may hold it: a node that lacks blocks since then proves nothing. */
  signedAt: t.Optional(timestamp()),
})
export type SignedBefore = Static<typeof SignedBefore>
/**
 * What became of it. `open`: it may still be mined. `final`: it is paid. `reverted`: it is final and moved nothing.
 * `dead`: proven never to be mined, for its nonce is spent by another final transaction, or its blockhash has expired at
 * a final height.
 */
export const SignatureFate = t.Object({
  txHash: t.String(),
  fate: oneOf(['open', 'final', 'reverted', 'dead']),
  reason: nullable(t.String()),
})
export type SignatureFate = Static<typeof SignatureFate>
/** For the wallet service: from the chain, not from the sends' records. Null while the network cannot be asked. */
export const getSignatureFates = batchCall('blockchain', '/internal/signatures/fates', SignedBefore, SignatureFate)
