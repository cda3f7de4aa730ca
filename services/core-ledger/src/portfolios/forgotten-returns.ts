import { comparableAddress } from '@bursar/contracts/address'
import { and, type Db, eq, ne, param, type Tx } from '@bursar/store'
import { isCovered, recordDecision } from '../decisions/decisions'
import { createReturn } from '../movements/create-return'
import { withText } from '../movements/index-keys'
import { completeApproved, move } from '../movements/move'
import { type TransactionRecord, transactionById } from '../movements/read-transactions'
import { isInSuspense, standingReturn } from '../movements/returns'
import { transactions } from '../movements/transactions.table'
import { type Alarm, withOtherTerms } from '../movements/work'

/** A payment whose order the ledger does not have. */
interface Left {
  accountId: string
  assetId: string
  amount: bigint
  /** The address that was paid. */
  counterparty: string
}

/**
 * The deposit in suspense that a payment may have returned, and how the return ended if the ledger has it; or why that
 * is not known yet. `alarm`: its order has ended here otherwise, and how it was paid.
 */
export type ReturnedDeposit =
  | { is: 'return'; depositId: string; ended?: Pick<EndedReturn, 'id' | 'status'> }
  | { is: 'perhaps'; why: string; alarm?: Alarm }

/** A return that has ended here differently than by this payment. */
type EndedReturn = Pick<TransactionRecord, 'id' | 'status' | 'assetId' | 'amount'> & { returns: string }

/**
 * The deposit that a payment has returned, as far as can be told: one of its account, asset and amount that came from
 * the paid address and was not returned otherwise. Its money is in suspense, and never was the account's. Undefined for
 * none.
 */
export async function returnedDeposit(db: Db, { counterparty, ...left }: Left): Promise<ReturnedDeposit | undefined> {
  const address = comparableAddress(counterparty)
  for (const deposit of await depositsWith(db, counterparty, { ...left })) {
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

/**
 * What the payment of a return is that has ended here otherwise: that of its deposit, while it is in suspense. `booked`:
 * recorded before, or a person has covered it. `forgotten`: the deposit was released, so that its account has the money.
 */
export async function paidAfterAll(
  db: Db,
  ended: EndedReturn,
  left: { assetId: string; amount: bigint; txHash: string },
): Promise<ReturnedDeposit | { is: 'booked' | 'forgotten' }> {
  const { id, status, returns } = ended
  if ((await isPaidBack(db, returns, left.txHash)) || (await isCovered(db, id))) return { is: 'booked' }
  const back = await standingReturn(db, returns)
  const contradiction = `confirmed ${left.txHash}`
  const paid = `It has paid return ${id}, which is ${status} here`
  if (back) {
    const why = `${paid}; transaction ${back.id} returns the same deposit, and is ${back.status}`
    return { is: 'perhaps', why, alarm: { contradiction, otherTerms: false } }
  }
  if (ended.assetId !== left.assetId || ended.amount !== left.amount) {
    return { is: 'perhaps', why: `${paid}, ${withOtherTerms}`, alarm: { contradiction, otherTerms: true } }
  }
  if (!isInSuspense(await transactionById(db, returns))) return { is: 'forgotten' }
  return { is: 'return', depositId: returns, ended: { id, status } }
}

/** Whether a deposit was returned by the transaction with this hash, in normal form. */
export async function isPaidBack(db: Db, depositId: string, txHash: string): Promise<boolean> {
  const back = await standingReturn(db, depositId)
  return back?.status === 'COMPLETED' && back.txHash === txHash
}

/**
 * Records the paid return of a deposit in suspense: under the id of its order, or, if that return has ended here, as
 * another one, because an ended return stays as it is.
 */
export async function recordReturn(
  tx: Tx,
  { depositId, ended }: Extract<ReturnedDeposit, { is: 'return' }>,
  { orderId, txHash }: { orderId: string; txHash: string },
  now: Date,
): Promise<void> {
  const deposit = await transactionById(tx, depositId)
  const { sourceAddress } = deposit
  if (sourceAddress === null) throw new Error(`Deposit ${depositId} was returned, and has no source`)
  const why = ended ? `Its return ${ended.id} is ${ended.status} here, and its chain has paid it` : forgotten
  // Nobody decided it, or who did is forgotten.
  await recordDecision(tx, deposit.id, 'RETURNED', { actor: null, note: why }, now)
  const made = await createReturn(
    tx,
    deposit,
    // In the deposit's spelling, not the chain's: the audit compares them.
    { destinationAddress: sourceAddress, ...(ended ? {} : { id: orderId }) },
    now,
  )
  const transaction = await move(tx, made, 'APPROVED', { at: now, detail: why })
  await completeApproved(tx, [{ transaction, txHash }], now)
}

const forgotten = 'The ledger had forgotten the return, and its chain has paid it'

const depositsWith = withText(
  and(
    eq(transactions.type, 'DEPOSIT'),
    ne(transactions.status, 'COMPLETED'),
    eq(transactions.accountId, param('accountId')),
    eq(transactions.assetId, param('assetId')),
    eq(transactions.amount, param('amount')),
  ),
)
