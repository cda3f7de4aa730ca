import { comparableAddress } from '@bursar/contracts/address'
import { getKnownTransfers, getTransactionParties } from '@bursar/contracts/blockchain'
import type { AnswerOf } from '@bursar/contracts/call'
import { and, byKey, eq, ne, param, type Tx } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { contractKey } from '../networks/holdings'
import { judge } from './fates'
import type { OrderRow } from './orders'
import { orders } from './orders.table'
import { type SignatureRow, signaturesOf } from './signatures'
import { signatures } from './signatures.table'

/** The chain's evidence on a transaction that is claimed to have paid an order. */
export type Proof = { txHash: string; problem: null } | { problem: string }

/**
 * Whether, according to the chain, a transaction has paid an order: it goes from the order's payer to its destination,
 * it was signed for no other order, and, where the order's own signatures or the transfer are known, it is one of them
 * and final, with the same token and amount. Rejects with CallError while the blockchain service is unavailable.
 */
export async function provePayment(deps: WalletDeps, order: OrderRow, txHash: string): Promise<Proof> {
  const { network, id } = order
  const parties = await deps.client.find(getTransactionParties, { params: { network, txHash } })
  if (!parties) return { problem: `${network} does not know the transaction ${txHash}` }
  const own = (await signaturesOf(deps.store.read, id)).find((each) => each.txHash === parties.txHash)
  // Its own signature proves the destination; an execution often moves nothing to its destination.
  const problem = own
    ? await fateProblem(deps, own)
    : (partyProblem(order, parties) ?? (await transferProblem(deps, order, parties.txHash)))
  return problem === null ? { txHash: parties.txHash, problem } : { problem }
}

/** Another order that ended by the transaction. */
export async function otherPaidBy(
  tx: Tx,
  { network, id }: Pick<OrderRow, 'network' | 'id'>,
  txHash: string,
): Promise<string | null> {
  const [other] = await paidBy(tx).execute({ network, txHash, id })
  return other?.id ?? null
}

function partyProblem(
  { destination, payer }: OrderRow,
  { txHash, from, to }: AnswerOf<typeof getTransactionParties>,
): string | null {
  const isAmong = (addresses: readonly string[], sought: string) =>
    addresses.some((each) => comparableAddress(each) === comparableAddress(sought))
  if (!isAmong(to, destination)) return `${txHash} does not go to ${destination}`
  return payer === null || isAmong(from, payer) ? null : `${txHash} does not come from ${payer}`
}

async function fateProblem({ fates }: WalletDeps, own: SignatureRow): Promise<string | null> {
  const verdict = await judge(fates, [own])
  return verdict.is === 'paid'
    ? null
    : `${own.txHash} is not final: ${verdict.is === 'open' ? verdict.why : verdict.is}`
}

async function transferProblem(deps: WalletDeps, order: OrderRow, txHash: string): Promise<string | null> {
  const { network, destination, amount, contractAddress } = order
  const [other] = await signedFor(deps.store.read).execute({ network, txHash, id: order.id })
  if (other) return `${txHash} was signed for order ${other.orderId}`
  const [transfers] = (await deps.client.call(getKnownTransfers, { body: { items: [{ network, txHash }] } })).items
  const there = transfers?.filter(({ toAddress }) => comparableAddress(toAddress) === comparableAddress(destination))
  // For addresses outside the deployment, only the parties are known.
  if (!there || there.length === 0) return null
  const isPaid = there.some(
    (each) =>
      each.isFinal &&
      each.amount === amount.toString() &&
      contractKey(each.contractAddress) === contractKey(contractAddress),
  )
  return isPaid ? null : `${txHash} moves another token or amount to ${destination}, or is not final`
}

/** Rarely used: these two have no index, which each withdrawal would have to write. */
const paidBy = byKey(orders, 'txHash', {
  only: and(eq(orders.network, param('network')), ne(orders.id, param('id'))),
})
const signedFor = byKey(signatures, 'txHash', {
  only: and(eq(signatures.network, param('network')), ne(signatures.orderId, param('id'))),
})
