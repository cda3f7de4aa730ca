import { comparableAddress } from '@bursar/contracts/address'
import type { ConfirmedMovement, OrderToProve } from '@bursar/contracts/blockchain'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import { movementsOf } from '../movements/movements'
import { finalCosts, noteFee } from '../movements/untold-fees'
import { tokenKey } from '../networks/comparable'
import type { Chain, ChainTransaction } from '../networks/network'
import { signedOrders } from '../sends/own-orders'
import { findSend, findSendByHash } from '../sends/sends'
import type { SendRow } from '../sends/sends.table'
import { findToken } from '../tokens/tokens'
import { findWatched } from '../watching/watched'

/** What an order pays. */
interface Payment extends Pick<SendRow, 'contractAddress'> {
  /** Comparable. */
  payer: string
}

/**
 * The amount that an order lost by the ledger took from its payer, by the chain (contracts, getPaidOrders). Fails when
 * it is unknown, when nothing of it is final, and while its network or the wallet service is unreachable.
 */
export async function paidOrder(deps: BlockchainDeps, asked: OrderToProve): Promise<ConfirmedMovement> {
  const { store, networks } = deps
  const send = await findSend(store.read, asked.id)
  const on = send?.network ?? asked.network
  const text = send?.status === 'confirmed' ? send.txHash : asked.txHash
  if (on === null || text === null || send?.transactionData) throw unpaid()
  const chain = await networks.open(on)
  const { name: network } = chain.settings
  const txHash = chain.hash(text)
  if (txHash === null) throw unpaid()
  const payment = await paymentOf(deps, chain, asked.id, txHash)
  const found = await chain.find(txHash)
  if (found?.status !== 'confirmed') throw unpaid()
  const moved = leftBy(payment, found)
  const [first] = moved
  if (!first) throw unpaid()
  const place = `out:${first.logIndex}`
  const noted = await movementsOf(store.read, network, txHash)
  const watched = await findWatched(store.read, network, payment.payer)
  const at = (send?.status === 'confirmed' ? send.updatedAt : found.at) ?? deps.clock()
  return {
    id: noted.find((each) => each.place === place)?.id ?? asked.id,
    kind: 'out',
    network,
    txHash,
    place,
    accountId: watched?.accountId ?? null,
    address: watched?.address ?? first.from,
    counterparty: first.to,
    contractAddress: first.contractAddress,
    amount: moved.reduce((sum, { amount }) => sum + amount, 0n).toString(),
    decimals: send?.decimals ?? (await decimalsOf(deps, chain, first)),
    orderId: asked.id,
    confirmedAt: at.toISOString(),
  }
}

const unpaid = () => fail('NOT_FOUND', { message: 'No final payment of this order is known' })

/** The payment by this transaction; fails when it is not the order's. */
async function paymentOf(deps: BlockchainDeps, chain: Chain, id: string, txHash: string): Promise<Payment> {
  const { store, client } = deps
  const network = chain.settings.name
  const send = await findSendByHash(store.read, network, txHash)
  if (send) {
    if (send.id !== id) throw unpaid()
    return { payer: comparableAddress(send.fromAddress), contractAddress: send.contractAddress }
  }
  const order = (await signedOrders(client, network, [txHash])).get(txHash)
  if (order?.id !== id || order.kind !== 'withdrawal') throw unpaid()
  // Its attempt was lost by a restore, so its fee is published here.
  const fee = (await finalCosts(chain, [txHash])).get(txHash)
  if (fee) await store.commit((tx) => noteFee(tx, chain, { txHash, orderId: id, fee }, deps.clock()))
  return { payer: comparableAddress(order.payer), contractAddress: order.contractAddress }
}

/** The net amount of the coin or token that a transaction took from the payer, without returns to itself. */
const leftBy = ({ payer, contractAddress }: Payment, { transfers, losses = transfers }: ChainTransaction) =>
  losses.filter(
    ({ from, to, amount, contractAddress: moved }) =>
      amount > 0n &&
      comparableAddress(from) === payer &&
      comparableAddress(to) !== payer &&
      tokenKey(moved) === tokenKey(contractAddress),
  )

async function decimalsOf(
  { store }: BlockchainDeps,
  { settings }: Chain,
  { contractAddress, decimals }: ChainTransaction['transfers'][number],
): Promise<number> {
  const token = await findToken(store.read, settings.name, tokenKey(contractAddress))
  const known = token?.decimals ?? decimals ?? (contractAddress === null ? settings.nativeDecimals : null)
  if (known === null) throw fail('NOT_FOUND', { message: `Nobody has registered the token ${contractAddress}` })
  return known
}
