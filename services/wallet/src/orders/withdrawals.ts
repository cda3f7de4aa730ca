import type { WalletWithdrawal } from '@bursar/contracts/wallet'
import { AmountError, parsePositiveAmount } from '@bursar/money'
import { and, asc, type Db, eq, gt, param, prepared, type Tx } from '@bursar/store'
import { changes } from '@bursar/store/schema'
import { addressProblem, networkName } from '../networks/families'
import { addOrder, findOrder, type OrderRow, toState, withdrawalKind } from './orders'
import { orders } from './orders.table'

/**
 * Takes the order of a withdrawal; one under a known id changes nothing, and the record there is is the answer. What
 * cannot be carried out is recorded as failed, with the reason.
 */
export async function acceptWithdrawal(tx: Tx, order: WalletWithdrawal, now = new Date()): Promise<OrderRow> {
  const known = await findOrder(tx, order.id)
  if (known) return known
  const { id, accountId, assetCode, contractAddress, decimals } = order
  const { problem, amount, network } = readOrder(order)
  const row = { ...blank(id, now), accountId, assetCode, contractAddress, decimals, amount, network }
  const destination = order.destinationAddress
  if (problem !== null) return await addOrder(tx, { ...row, destination, status: 'failed', reason: problem })
  return await addOrder(tx, { ...row, destination, status: 'accepted', dueAt: now })
}

/** Records an id that is never to be paid. A known withdrawal stays as it is, and is the answer. */
export async function refuseWithdrawal(tx: Tx, id: string, reason: string, now = new Date()): Promise<OrderRow> {
  const known = await findOrder(tx, id)
  if (known) return known
  return await addOrder(tx, { ...blank(id, now), status: 'failed', reason })
}

/** A page of the withdrawals that changed, in the order of their versions. */
export async function changedWithdrawals(db: Db, after: number) {
  const rows = await changedAfter(db).execute({ after, limit: pageSize + 1 })
  const items = rows.slice(0, pageSize).map(({ version, order }) => ({ version, record: toState(order) }))
  return { items, more: rows.length > pageSize }
}

const pageSize = 500

/** What is wrong with an order: null, or a sentence. */
function readOrder(order: WalletWithdrawal): { problem: string | null; amount: bigint; network: string } {
  const network = networkName(order.network)
  if (network === null) return { problem: `network ${order.network} is no name`, amount: 0n, network: order.network }
  const destination = addressProblem(network, order.destinationAddress)
  const contract = order.contractAddress === null ? null : addressProblem(network, order.contractAddress)
  const problem = destination
    ? `destinationAddress ${destination}`
    : contract
      ? `contractAddress ${contract}`
      : null
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
  nonce: null,
  handedAt: null,
  dueAt: null,
  attempts: 0,
  requestKey: null,
  createdAt: now,
  updatedAt: now,
})

const changedAfter = prepared((db) =>
  db
    .select({ version: changes.seq, order: orders })
    .from(changes)
    .innerJoin(orders, eq(orders.id, changes.recordId))
    .where(and(eq(changes.kind, withdrawalKind), gt(changes.seq, param('after'))))
    .orderBy(asc(changes.seq))
    .limit(param('limit')),
)
