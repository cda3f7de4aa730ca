import type { Authorisation, AuthorisedTerms, WithdrawalEnd } from '@bursar/contracts/core-ledger'
import { formatAmount } from '@bursar/money'
import { type Db, eq, inArray, queryAmong, sql } from '@bursar/store'
import { accounts, customerOwners, customers } from '../accounts/accounts.table'
import { holdsOwner } from '../accounts/institutions'
import { heldInstitutions } from '../accounts/institutions.table'
import { journal } from '../ledger/journal.table'
import { sidesOf } from '../ledger/ledger-accounts'
import { concernsPayer, standingObstacle } from '../movements/obstacle'
import { whyNotReturned } from '../movements/returns'
import { shortfalls } from '../movements/shortfalls.table'
import { entryAt } from '../movements/states'
import { transactions } from '../movements/transactions.table'
import { work } from '../movements/work.table'
import { normalNetwork } from '../networks/networks'
import { opaqueExecutions } from '../portfolios/authorise-execution'

/** A withdrawal that may be signed according to the books, or why not. */
export interface Judged {
  id: string
  terms: AuthorisedTerms | null
  reason: string | null
  /** Null while it has not ended. */
  ended: WithdrawalEnd | null
  createdAt: Date
}

/**
 * Judges withdrawals by the books before they are signed, by id; unknown ids are left out. Terms are given only for one
 * that is APPROVED and ordered, whose hold stands in the journal as its only entry, whose account, customer and
 * institution are active, and whose asset has no shortfall. For a return, instead of the account: whose deposit is in
 * suspense and on its chain.
 */
export async function judgeWithdrawals(db: Db, ids: readonly string[]): Promise<Map<string, Judged>> {
  const rows = await withdrawalsById(db, ids)
  const judged = new Map<string, Judged>()
  const opaque = await opaqueExecutions(db, portfoliosOf(rows))
  for (const [id, entries] of Map.groupBy(rows, (row) => row.id)) {
    const [row] = entries
    if (row?.type !== 'WITHDRAWAL') continue
    const { returns, createdAt } = row
    const reason =
      whyNot(row, entries) ??
      opaque.get(`${row.accountId} ${normalNetwork(row.network)}`) ??
      (returns === null ? null : await whyNotReturned(db, { ...row, returns }))
    judged.set(id, { id, terms: reason === null ? termsOf(row) : null, reason, ended: endOf(row), createdAt })
  }
  return judged
}

export const toAuthorisation = ({ id, terms, reason, ended }: Judged): Authorisation =>
  ended === null ? { id, terms, reason } : { id, terms, reason, ended }

type Row = Awaited<ReturnType<typeof withdrawalsById>>[number]

function endOf({ status, txHash }: Row): WithdrawalEnd | null {
  if (status === 'COMPLETED') return { status, txHash }
  return status === 'REJECTED' || status === 'FAILED' ? { status, txHash: null } : null
}

/** Null when there is no obstacle. */
function whyNot(row: Row, rows: Row[]): string | null {
  if (row.status !== 'APPROVED') return `The withdrawal is ${row.status}; only an APPROVED one is signed`
  if (row.orderedAt === null) return 'The ledger has not ordered the withdrawal'
  if (!isHeld(row, rows)) return 'The journal does not hold the withdrawal’s amount'
  const standing = row.account && { ...row.account, customerStatus: row.customerStatus, institution: row.institution }
  // A return belongs to no account (whyNotReturned).
  const obstacle = row.returns === null ? standingObstacle(standing, row, row.accountId) : null
  return obstacle?.reason ?? row.shortfall
}

/** Its hold, with its amount and at its account, is the only entry that it has posted. */
function isHeld(row: Row, rows: Row[]): boolean {
  const kind = entryAt(row, 'PENDING')
  if (!kind) return false
  const { debit, credit } = sidesOf[kind](row)
  return rows.every(
    ({ entry }) =>
      entry?.kind === kind &&
      entry.assetId === row.assetId &&
      entry.amount === row.amount &&
      entry.debit === debit &&
      entry.credit === credit,
  )
}

const termsOf = (row: Row): AuthorisedTerms => ({
  accountId: row.accountId,
  network: normalNetwork(row.network),
  assetCode: row.assetCode,
  contractAddress: row.contractAddress,
  amount: formatAmount(row.amount, row.decimals),
  decimals: row.decimals,
  destinationAddress: row.destinationAddress ?? '',
})

const portfoliosOf = (rows: Row[]): string[] => [
  ...new Set(rows.filter(({ account }) => account?.type === 'PORTFOLIO').map(({ accountId }) => accountId)),
]

/** Withdrawals with their entries and shortfalls: one row each if all is well. */
const withdrawalsById = queryAmong(
  (ids) => (db) =>
    db
      .select({
        id: transactions.id,
        type: transactions.type,
        status: transactions.status,
        accountId: transactions.accountId,
        toAccountId: transactions.toAccountId,
        assetId: transactions.assetId,
        network: transactions.network,
        assetCode: transactions.assetCode,
        contractAddress: transactions.contractAddress,
        amount: transactions.amount,
        decimals: transactions.decimals,
        destinationAddress: transactions.destinationAddress,
        txHash: transactions.txHash,
        returns: transactions.returns,
        createdAt: transactions.createdAt,
        orderedAt: work.orderedAt,
        account: {
          id: accounts.id,
          type: accounts.type,
          status: accounts.status,
          customerId: accounts.customerId,
        },
        customerStatus: customers.status,
        institution: heldInstitutions.state,
        entry: {
          kind: journal.kind,
          assetId: journal.assetId,
          amount: journal.amount,
          debit: journal.debit,
          credit: journal.credit,
        },
        shortfall: shortfalls.reason,
      })
      .from(transactions)
      .leftJoin(work, eq(work.transactionId, transactions.id))
      .leftJoin(accounts, eq(accounts.id, transactions.accountId))
      .leftJoin(customers, eq(customers.id, accounts.customerId))
      .leftJoin(customerOwners, eq(customerOwners.id, accounts.customerId))
      .leftJoin(heldInstitutions, holdsOwner)
      .leftJoin(journal, eq(journal.transactionId, transactions.id))
      .leftJoin(shortfalls, concernsPayer(sql`${transactions.accountId}`, sql`${transactions.assetId}`))
      .where(inArray(transactions.id, ids)),
)
