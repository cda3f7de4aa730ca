import { startWithdrawal } from '@bursar/contracts/wallet'
import { asRequest, CallError } from '@bursar/http'
import { type Again, again, and, asc, type Db, eq, isNull, lte, or, param, prepared, type Tx } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { type TransactionRow, transactions } from './transactions.table'

const pauseMs = 2000
const retryMs = 5000
const leaseMs = 30_000

/** Has the wallet service carry out what callers ordered. Its record of an order's id makes each of them paid once. */
export function startOrdering(deps: BlockchainDeps): Again {
  const loop = again(pauseMs, () => orderDue(deps), { log: deps.log, name: 'The ordering of transactions' })
  deps.wakes.on('orders', () => void loop.wake())
  return loop
}

async function orderDue(deps: BlockchainDeps): Promise<void> {
  const rows = await deps.store.commit((tx) => claimDue(tx, new Date()))
  await Promise.all(rows.map((row) => order(deps, row)))
}

async function claimDue(tx: Tx, now: Date): Promise<TransactionRow[]> {
  const rows = await dueTransactions(tx).execute({ now })
  const leasedUntil = new Date(now.getTime() + leaseMs)
  for (const { id } of rows) await lease(tx).execute({ id, leasedUntil })
  return rows
}

async function order({ client, store, log }: BlockchainDeps, row: TransactionRow): Promise<void> {
  const { id, accountId, network, contractAddress, amount, decimals, destinationAddress } = row
  const body = {
    id,
    accountId,
    network,
    assetCode: row.currency,
    contractAddress,
    amount,
    decimals,
    destinationAddress,
  }
  const settle = (status: TransactionRow['status'], reason: string | null, dueAt: Date | null) =>
    store.commit((tx) => updateTransaction(tx).execute({ id, status, reason, dueAt, updatedAt: new Date() }))
  try {
    const state = await asRequest(id, () => client.call(startWithdrawal, { body, idempotencyKey: id }))
    await settle(state.status === 'failed' ? 'failed' : 'ordered', state.reason, null)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    // Only a record of the wallet service is definite; a refusal without one may be otherwise the next time.
    log.warn({ transaction: id, reason: error.message }, 'The wallet service is asked again for a transaction')
    await settle('new', error.message, new Date(Date.now() + retryMs))
  }
}

/** What has yet to be ordered, oldest first; not what another worker has. */
const dueTransactions = prepared((db: Db) =>
  db
    .select()
    .from(transactions)
    .where(
      and(
        lte(transactions.dueAt, param('now')),
        or(isNull(transactions.leasedUntil), lte(transactions.leasedUntil, param('now'))),
      ),
    )
    .orderBy(asc(transactions.dueAt), asc(transactions.id))
    .limit(50),
)
const lease = prepared((db) =>
  db
    .update(transactions)
    .set({ leasedUntil: param('leasedUntil') })
    .where(eq(transactions.id, param('id'))),
)
const updateTransaction = prepared((db) =>
  db
    .update(transactions)
    .set({
      status: param('status'),
      reason: param('reason'),
      dueAt: param('dueAt'),
      leasedUntil: null,
      updatedAt: param('updatedAt'),
    })
    .where(eq(transactions.id, param('id'))),
)
