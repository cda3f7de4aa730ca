import { comparableAddress } from '@bursar/contracts/address'
import { and, asc, type Db, eq, gt, ne, param, prepared, type Tx } from '@bursar/store'
import { recordDecision } from '../decisions/decisions'
import { journal } from '../ledger/journal.table'
import { createReturn } from '../movements/create-return'
import { indexedUntil } from '../movements/index-keys'
import { keyOf } from '../movements/key-of'
import { completeApproved, move } from '../movements/move'
import { transactionById } from '../movements/read-transactions'
import { isInSuspense, standingReturn } from '../movements/returns'
import { transactionKeys } from '../movements/transaction-keys.table'
import { transactions } from '../movements/transactions.table'

/** A payment whose order the ledger does not have. */
interface Left {
  accountId: string
  assetId: string
  amount: bigint
  /** Whom it has paid. */
  counterparty: string
}

/** What it may have returned: a deposit in suspense; or why that is not known yet. */
export type ReturnedDeposit = { is: 'return'; depositId: string } | { is: 'perhaps'; why: string }

/**
 * The deposit that a payment has sent back, as far as can be told: one of its account, asset and amount that came from
 * the address that was paid, and was not returned otherwise. Its money is in suspense, and never was the account's.
 * Undefined for none.
 */
export async function returnedDeposit(db: Db, { counterparty, ...left }: Left): Promise<ReturnedDeposit | undefined> {
  const asked = { ...left, key: keyOf(counterparty), after: await indexedUntil(db) }
  // The index of addresses follows the journal with a delay.
  const found = [...(await indexed(db).execute(asked)), ...(await since(db).execute(asked))]
  const address = comparableAddress(counterparty)
  for (const deposit of found) {
    const isFrom = deposit.sourceAddress !== null && comparableAddress(deposit.sourceAddress) === address
    if (!isFrom || (await standingReturn(db, deposit.id))) continue
    if (isInSuspense(deposit)) return { is: 'return', depositId: deposit.id }
    const { id, status } = deposit
    return {
      is: 'perhaps',
      why: `It may have returned deposit ${id}, which is ${status} here: it waits until that has ended`,
    }
  }
  return undefined
}

/** Records the paid return of a deposit in suspense again, under the id of its order. */
export async function recordReturn(
  tx: Tx,
  depositId: string,
  { orderId, counterparty, txHash }: { orderId: string; counterparty: string; txHash: string },
  now: Date,
): Promise<void> {
  const deposit = await transactionById(tx, depositId)
  // Nobody knows any more who decided it.
  await recordDecision(tx, deposit.id, 'RETURNED', { actor: null, note: paidByItsChain }, now)
  const made = await createReturn(tx, deposit, { destinationAddress: counterparty, id: orderId }, now)
  const transaction = await move(tx, made, 'APPROVED', { at: now, detail: paidByItsChain })
  await completeApproved(tx, [{ transaction, txHash }], now)
}

const paidByItsChain = 'The ledger had forgotten the return, and its chain has paid it'

const deposit = {
  id: transactions.id,
  type: transactions.type,
  status: transactions.status,
  sourceAddress: transactions.sourceAddress,
}
const isMeant = and(
  eq(transactions.type, 'DEPOSIT'),
  ne(transactions.status, 'COMPLETED'),
  eq(transactions.accountId, param('accountId')),
  eq(transactions.assetId, param('assetId')),
  eq(transactions.amount, param('amount')),
)
const indexed = prepared((db) =>
  db
    .select(deposit)
    .from(transactionKeys)
    .innerJoin(transactions, eq(transactions.id, transactionKeys.transactionId))
    .where(and(eq(transactionKeys.key, param('key')), isMeant))
    .orderBy(asc(transactions.id)),
)
const since = prepared((db) =>
  db
    .select(deposit)
    .from(journal)
    .innerJoin(transactions, eq(transactions.id, journal.transactionId))
    .where(and(gt(journal.seq, param('after')), isMeant))
    .orderBy(asc(journal.seq)),
)
