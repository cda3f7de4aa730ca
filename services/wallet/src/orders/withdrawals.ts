import { networkName } from '@bursar/contracts/network-name'
import type { WalletWithdrawal } from '@bursar/contracts/wallet'
import { AmountError, parsePositiveAmount } from '@bursar/money'
import type { Tx } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { fail } from '../errors'
import { addressProblem } from '../networks/families'
import { contractOf } from '../networks/holdings'
import { arrivesAt } from '../token-accounts/associated-address'
import { hotAddress } from '../wallets/deployment-holdings'
import { findWallets, type WalletRow } from '../wallets/wallets'
import { addOrder, addOrders, changeOrder, findOrder, findOrders, type OrderRow } from './orders'
import { forgotten, isHeld, waitsForOperator } from './restore-hold'
import { signaturesOf } from './signatures'

/**
 * Accepts the orders of different withdrawals, which the ledger has posted. A repeat of a known id changes nothing, and
 * returns the stored record. An order that cannot be executed is recorded as failed, with the reason.
 */
export async function acceptWithdrawals(tx: Tx, orders: readonly ReadOrder[], now: Date): Promise<OrderRow[]> {
  const known = await findOrders(
    tx,
    orders.map(({ id }) => id),
  )
  const rows = orders.map((order) => known.get(order.id) ?? newOrder(order, now))
  const added = rows.filter(({ id }) => !known.has(id))
  await addOrders(tx, added, true)
  return rows
}

function newOrder({ problem, wasAccepted, ...read }: ReadOrder, now: Date): OrderRow {
  const row = { ...blank(read.id, now), ...read }
  // It may have been paid, so it is not validated again.
  if (wasAccepted) return { ...row, status: 'accepted', dueAt: now, waitsFor: forgotten, lostAt: now }
  if (problem !== null) return { ...row, status: 'failed', reason: problem }
  return { ...row, status: 'accepted', dueAt: now }
}

/** An order in its stored form, and the problem with it. */
export type ReadOrder = Pick<
  OrderRow,
  'id' | 'accountId' | 'network' | 'assetCode' | 'contractAddress' | 'amount' | 'decimals' | 'destination'
> & { problem: string | null; wasAccepted: boolean }

/** Parses orders before they are accepted. */
export async function readWithdrawals(deps: WalletDeps, orders: readonly WalletWithdrawal[]): Promise<ReadOrder[]> {
  const accountIds = [...new Set(orders.map(({ accountId }) => accountId))]
  const wallets = Map.groupBy(await findWallets(deps.store.read, accountIds), ({ accountId }) => accountId)
  return await Promise.all(orders.map((order) => readWithdrawal(deps, order, wallets.get(order.accountId) ?? [])))
}

async function readWithdrawal(
  { keys }: WalletDeps,
  order: WalletWithdrawal,
  wallets: readonly WalletRow[],
): Promise<ReadOrder> {
  const { id, accountId, assetCode, decimals, destinationAddress: destination } = order
  const contractAddress = contractOf(order.contractAddress)
  const { amount, network, problem } = readOrder(order, contractAddress)
  const read = { id, accountId, network, assetCode, contractAddress, amount, decimals, destination }
  const own = wallets.find((wallet) => wallet.network === network)
  return {
    ...read,
    wasAccepted: order.wasAccepted === true,
    problem: problem ?? (await destinationProblem(read, hotAddress(keys, network), own?.address)),
  }
}

/**
 * Another account's address is a valid destination: the chain's confirmation credits it. A payment to the hot wallet is
 * nobody's deposit, and a payment to the account's own address is no withdrawal.
 */
async function destinationProblem(
  order: Omit<ReadOrder, 'problem' | 'wasAccepted'>,
  hot: string,
  own: string | undefined,
): Promise<string | null> {
  const { network } = order
  if (await arrivesAt(network, hot, order)) {
    return 'destinationAddress is the hot wallet of this deployment, or a token account of it: nobody would be credited'
  }
  return own !== undefined && (await arrivesAt(network, own, order))
    ? 'destinationAddress is the address of the account itself, or its token account: nothing would move'
    : null
}

/**
 * Refuses an id, so that it is never paid: one without an order, or whose order was never signed, since without a
 * signature it cannot have been paid. Any other withdrawal is returned unchanged. 409 while it is held, or if it was
 * accepted before and is unknown now: it may have been signed.
 */
export async function refuseWithdrawal(
  tx: Tx,
  id: string,
  { reason, wasAccepted = false }: { reason: string; wasAccepted?: boolean },
  now: Date,
): Promise<OrderRow> {
  const known = await findOrder(tx, id)
  if (known && (known.status !== 'accepted' || known.signedAt !== null || known.kind !== 'withdrawal')) return known
  const wasSigned = (await signaturesOf(tx, id)).length > 0
  if (wasSigned || (await isHeld(tx, known ?? { id, createdAt: now })))
    throw fail('CONFLICT', { message: waitsForOperator })
  if (known ? known.lostAt !== null : wasAccepted) throw fail('CONFLICT', { message: forgotten })
  if (!known) return await addOrder(tx, { ...blank(id, now), status: 'failed', reason })
  return await changeOrder(tx, known, { status: 'failed', reason, updatedAt: now })
}

/** Those of 256 bits: a return sends back whatever a chain has paid in, more than anybody may ask for. */
export const mostDigits = 78

/** The problem with an order as a sentence; null for none. */
function readOrder(
  order: WalletWithdrawal,
  contractAddress: string | null,
): { problem: string | null; amount: bigint; network: string } {
  const network = networkName(order.network)
  if (network === null) return { problem: `network ${order.network} is no name`, amount: 0n, network: order.network }
  const destination = addressProblem(network, order.destinationAddress)
  const contract = contractAddress === null ? null : addressProblem(network, contractAddress)
  const problem = destination ? `destinationAddress ${destination}` : contract ? `contractAddress ${contract}` : null
  try {
    return { problem, network, amount: parsePositiveAmount(order.amount, order.decimals, mostDigits) }
  } catch (error) {
    if (!(error instanceof AmountError)) throw error
    return { problem: `amount ${error.message}`, network, amount: 0n }
  }
}

/** An empty order. */
export const blank = (id: string, now: Date): OrderRow => ({
  id,
  kind: 'withdrawal',
  accountId: '',
  network: '',
  assetCode: '',
  contractAddress: null,
  amount: 0n,
  decimals: 0,
  destination: '',
  transactionData: null,
  status: 'accepted',
  txHash: null,
  reason: null,
  payer: null,
  feePayer: null,
  chain: null,
  signedAt: null,
  waitsFor: null,
  lostAt: null,
  disownedAt: null,
  handedAt: null,
  toldEpoch: null,
  toldVersion: null,
  dueAt: null,
  leasedUntil: null,
  attempts: 0,
  lastError: null,
  requestKey: null,
  createdAt: now,
  updatedAt: now,
})
