import type { WalletWithdrawal } from '@bursar/contracts/wallet'
import { AmountError, parsePositiveAmount } from '@bursar/money'
import type { Tx } from '@bursar/store'
import { addressProblem, networkName, storedForm } from '../networks/families'
import { walletAt } from '../wallets/wallets'
import { addOrder, changeOrder, findOrder, isEnded, type OrderRow } from './orders'

/**
 * Takes the order of a withdrawal, which the ledger has booked, or of a payment, which is the account's own alone; one under a known id changes nothing, and the record there is is the answer. What
 * cannot be carried out is recorded as failed, with the reason.
 */
export async function acceptWithdrawal(
  tx: Tx,
  order: WalletWithdrawal,
  kind: 'withdrawal' | 'payment',
  now = new Date(),
): Promise<OrderRow> {
  const known = await findOrder(tx, order.id)
  if (known) return known
  const { id, accountId, assetCode, decimals } = order
  const contractAddress = order.contractAddress === native ? null : order.contractAddress
  const { amount, network, ...read } = readOrder(order)
  const problem = read.problem ?? (await ownAddressProblem(tx, network, order.destinationAddress))
  const row = { ...blank(id, now), kind, accountId, assetCode, contractAddress, decimals, amount, network }
  const destination = order.destinationAddress
  if (problem !== null) return await addOrder(tx, { ...row, destination, status: 'failed', reason: problem })
  return await addOrder(tx, { ...row, destination, status: 'accepted', dueAt: now })
}

/**
 * On the chain nothing would leave the deployment, and what arrives from our own addresses is nobody's deposit: the
 * ledger would debit one account and credit none.
 */
async function ownAddressProblem(tx: Tx, network: string, destination: string): Promise<string | null> {
  const own = await walletAt(tx, network, storedForm(network, destination))
  return own
    ? `destinationAddress belongs to account ${own.accountId} of this deployment: make a transfer to that account instead`
    : null
}

/**
 * Records that an id is never to be paid: one that no order came for, or whose order has no payer yet, for then nobody
 * else knows of it. Any other withdrawal stays as it is, and is the answer.
 */
export async function refuseWithdrawal(tx: Tx, id: string, reason: string, now = new Date()): Promise<OrderRow> {
  const known = await findOrder(tx, id)
  if (!known) return await addOrder(tx, { ...blank(id, now), status: 'failed', reason })
  if (isEnded(known) || known.payer !== null || known.kind !== 'withdrawal') return known
  return await changeOrder(tx, known, { status: 'failed', reason, updatedAt: now })
}

/** How the core ledger's catalogue may write a native asset, besides null. */
const native = 'native'

/** What is wrong with an order: null, or a sentence. */
function readOrder(order: WalletWithdrawal): { problem: string | null; amount: bigint; network: string } {
  const network = networkName(order.network)
  if (network === null) return { problem: `network ${order.network} is no name`, amount: 0n, network: order.network }
  const destination = addressProblem(network, order.destinationAddress)
  const contract =
    order.contractAddress === null || order.contractAddress === native
      ? null
      : addressProblem(network, order.contractAddress)
  const problem = destination ? `destinationAddress ${destination}` : contract ? `contractAddress ${contract}` : null
  try {
    return { problem, network, amount: parsePositiveAmount(order.amount, order.decimals) }
  } catch (error) {
    if (!(error instanceof AmountError)) throw error
    return { problem: `amount ${error.message}`, network, amount: 0n }
  }
}

/** An order that says nothing yet. */
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
  handedAt: null,
  dueAt: null,
  attempts: 0,
  requestKey: null,
  createdAt: now,
  updatedAt: now,
})
