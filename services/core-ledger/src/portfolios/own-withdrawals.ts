import { and, type Db, eq, isNotNull, or, param, prepared } from '@bursar/store'
import { executingType, findStanding } from '../accounts/accounts'
import { isCovered } from '../decisions/decisions'
import { withText } from '../movements/index-keys'
import { findTransaction, type TransactionRecord } from '../movements/read-transactions'
import { refrozenWithdrawals } from '../movements/refrozen-withdrawals.table'
import { transactions } from '../movements/transactions.table'
import { normalHash } from '../networks/networks'
import { isPaidBack, paidAfterAll, type ReturnedDeposit, returnedDeposit } from './forgotten-returns'
import { isPaidByMovement } from './movements'

/** An outgoing movement of an address, to be compared with the ledger's withdrawals. */
interface Left {
  /** The owner; null if unknown. */
  accountId: string | null
  orderId: string | null
  assetId: string
  network: string
  /** In normal form. */
  txHash: string
  amount: bigint
  /** Whom it has paid; null if unknown. */
  counterparty: string | null
}

/**
 * Whether an outgoing movement is a withdrawal of the ledger, which posts it itself. `booked`: it has the hash of a
 * withdrawal that was paid or is under way. `perhaps`: it may belong to a withdrawal that has not ended. `forgotten`:
 * the ledger does not have its order, as after a restore, or ended it differently. `return`: the same, and it has sent
 * a deposit in suspense back: no account has paid it. `none`: it is a portfolio's own transaction.
 */
export type OwnPayment = { is: 'booked' | 'forgotten' | 'none' } | ReturnedDeposit

export async function ownPayment(db: Db, left: Left): Promise<OwnPayment> {
  const { accountId, orderId } = left
  const ordered = orderId === null ? undefined : await withdrawalOf(db, orderId)
  if (ordered) return await byOrder(db, ordered, left)
  // Without an order, or with one that is unknown here, the hash decides.
  if (await isPaidHere(db, left)) return { is: 'booked' }
  const isPortfolios = accountId !== null && (await findStanding(db, accountId))?.type === executingType
  if (!isPortfolios) return (await forgottenReturn(db, left)) ?? { is: 'forgotten' }
  const isPerhaps =
    orderId === null && (await open(db).execute({ accountId, assetId: left.assetId, amount: left.amount })).length > 0
  return isPerhaps ? { is: 'perhaps', why: perhapsWithdrawal } : { is: 'none' }
}

/**
 * A portfolio's payments are not only withdrawals, and its ended executions leave no trace: returns cannot be told
 * apart.
 */
async function forgottenReturn(db: Db, left: Left): Promise<ReturnedDeposit | undefined> {
  const { accountId, orderId, counterparty } = left
  if (accountId === null || orderId === null || counterparty === null) return undefined
  return await returnedDeposit(db, { ...left, accountId, counterparty })
}

const perhapsWithdrawal =
  'It may be an approved withdrawal of this account, asset and amount: it waits until that has its hash or has ended'

/** The withdrawal of an order; undefined if the ledger does not have it, or has lost it. */
export async function withdrawalOf(db: Db, orderId: string): Promise<TransactionRecord | undefined> {
  const record = await findTransaction(db, orderId)
  return record?.type === 'WITHDRAWAL' ? record : undefined
}

/**
 * Whether the payment of an order that has ended here otherwise is fully posted all the same: as a movement, or as
 * another return of the same deposit; or a person has covered it.
 */
export async function isPaidOtherwise(db: Db, { id, txHash }: { id: string; txHash: string | null }): Promise<boolean> {
  if (await isPaidByMovement(db, id)) return true
  const ordered = txHash === null ? undefined : await withdrawalOf(db, id)
  if (!ordered || ordered.returns === null || txHash === null) return false
  return (await isPaidBack(db, ordered.returns, normalHash(ordered.network, txHash))) || (await isCovered(db, id))
}

async function byOrder(db: Db, ordered: TransactionRecord, left: Left): Promise<OwnPayment> {
  const { id, status, txHash, returns } = ordered
  const mayPay = status === 'COMPLETED' || status === 'APPROVED'
  if (mayPay && txHash === left.txHash) return { is: 'booked' }
  if (status === 'COMPLETED' || status === 'REJECTED' || status === 'FAILED') {
    return returns === null ? { is: 'forgotten' } : await paidAfterAll(db, { ...ordered, returns }, left)
  }
  return { is: 'perhaps', why: `It has paid withdrawal ${id}, which is ${status} here: it waits until that has ended` }
}

async function isPaidHere(db: Db, { accountId, assetId, txHash }: Left): Promise<boolean> {
  const paid = await paidWith(db, txHash, { assetId, txHash })
  return paid.some((each) => accountId === null || each.accountId === accountId)
}

const isOfAsset = and(eq(transactions.type, 'WITHDRAWAL'), eq(transactions.assetId, param('assetId')))
const paidWith = withText(
  and(
    isOfAsset,
    or(eq(transactions.status, 'COMPLETED'), eq(transactions.status, 'APPROVED')),
    eq(transactions.txHash, param('txHash')),
  ),
)
/** A withdrawal that was frozen again may have been signed before; its review decides about the hold. */
const mayHavePaid = or(
  eq(transactions.status, 'APPROVED'),
  and(eq(transactions.status, 'FROZEN'), isNotNull(refrozenWithdrawals.transactionId)),
)
const open = prepared((db) =>
  db
    .select({ id: transactions.id })
    .from(transactions)
    .leftJoin(refrozenWithdrawals, eq(refrozenWithdrawals.transactionId, transactions.id))
    .where(
      and(
        mayHavePaid,
        isOfAsset,
        eq(transactions.accountId, param('accountId')),
        eq(transactions.amount, param('amount')),
      ),
    )
    .limit(1),
)
