import { and, asc, type Db, eq, inArray, isNull, or, param, queryAmong, type SQL, sql, together } from '@bursar/store'
import { type Standing as AccountStanding, inactivityOf, standingColumns } from '../accounts/accounts'
import { accounts, customerOwners, customers } from '../accounts/accounts.table'
import { holdsOwner, wayOut } from '../accounts/institutions'
import { heldInstitutions } from '../accounts/institutions.table'
import { reversalsOf } from './chain-transfers'
import type { TransactionRecord } from './read-transactions'
import { whyNotReturned } from './returns'
import { shortfalls } from './shortfalls.table'

/** An obstacle that prevents the execution of an approved transaction. */
export interface Obstacle {
  reason: string
  /** True if it is permanent: the account or its customer is deleted. */
  isFinal: boolean
}

type Parties = Pick<
  TransactionRecord,
  'id' | 'type' | 'accountId' | 'toAccountId' | 'assetId' | 'network' | 'amount' | 'destinationAddress' | 'returns'
>

/**
 * Why an approved transaction is not carried out now; null if nothing prevents it. In this order: a deposit that its
 * chain took back; a party's account that is not active, or whose customer or institution is not (decisions, Account or
 * customer no longer active); an open shortfall. Withdrawals and transfers wait for shortfalls of their account,
 * withdrawals also for those of their asset. A deposit waits even for a deleted account: its money stays in suspense. A
 * return waits for its deposit, not for an account: the money is no account's.
 */
export async function obstacleOf(db: Db, transaction: Parties): Promise<Obstacle | null> {
  const [obstacle = null] = await obstaclesOf(db, [transaction])
  return obstacle
}

/** The same for several transactions, with few statements. */
export async function obstaclesOf(db: Db, all: readonly Parties[]): Promise<(Obstacle | null)[]> {
  const deposits = all.flatMap(({ type, id }) => (type === 'DEPOSIT' ? [id] : []))
  const [standings, reversals] = await together(standingsOf(db, all), reversalsOf(db, deposits))
  const obstacles: (Obstacle | null)[] = []
  for (const transaction of all) {
    const reason = reversals.get(transaction.id) ?? (await returnObstacle(db, transaction))
    obstacles.push(reason === null ? partyObstacle(transaction, standings) : { reason, isFinal: false })
  }
  return obstacles
}

function partyObstacle(transaction: Parties, standings: Map<string, Standing[]>): Obstacle | null {
  let shortfall: string | null = null
  for (const id of partiesOf(transaction)) {
    const rows = standings.get(`${id} ${transaction.assetId}`) ?? []
    const obstacle = transaction.returns === null ? standingObstacle(rows[0], transaction, id) : null
    if (obstacle) return obstacle
    if (id === transaction.accountId) shortfall = shortfallAmong(rows, transaction)
  }
  return shortfall === null ? null : { reason: shortfall, isFinal: false }
}

/** The standings of the parties, with their shortfalls, by account and asset. */
async function standingsOf(db: Db, all: readonly Parties[]): Promise<Map<string, Standing[]>> {
  const found = new Map<string, Standing[]>()
  for (const [assetId, some] of Map.groupBy(all, (transaction) => transaction.assetId)) {
    const rows = await standingsByAccount(db, [...new Set(some.flatMap(partiesOf))], { assetId })
    for (const [id, ofAccount] of Map.groupBy(rows, (row) => row.id)) found.set(`${id} ${assetId}`, ofAccount)
  }
  return found
}

async function returnObstacle(db: Db, transaction: Parties): Promise<string | null> {
  const { returns } = transaction
  return returns === null ? null : await whyNotReturned(db, { ...transaction, returns })
}

/** The obstacle of an account's state. */
export function standingObstacle(
  standing: Omit<AccountStanding, 'type'> | null | undefined,
  { type }: Pick<Parties, 'type'>,
  id: string,
): Obstacle | null {
  const reason = standing ? inactivityOf(standing) : `Account ${id} is not known`
  if (reason === null) return null
  const isDeleted = standing?.status === 'deleted' || standing?.customerStatus === 'deleted'
  if (standing?.institution) return { reason: `${reason}: ${wayOut(standing.institution)}`, isFinal: false }
  return { reason, isFinal: isDeleted && type !== 'DEPOSIT' }
}

/** The shortfall that a transaction waits for, among the payer's rows; null for none. */
function shortfallAmong(rows: Standing[], { type, accountId }: Parties): string | null {
  if (type === 'DEPOSIT') return null
  const found = rows.find(
    ({ shortfall, shortAccountId }) => shortfall && (type === 'WITHDRAWAL' || shortAccountId === accountId),
  )
  return found?.shortfall ?? null
}

/** The accounts that must be active; of a transfer the receiver's too. */
export const partiesOf = ({ accountId, toAccountId }: Pick<Parties, 'accountId' | 'toAccountId'>): string[] =>
  toAccountId === null ? [accountId] : [accountId, toAccountId]

/** The shortfalls that stop payments of an account's asset: its own, and those of the asset as a whole. */
export const concernsPayer = (account: SQL, asset: SQL): SQL | undefined =>
  and(eq(shortfalls.assetId, asset), or(isNull(shortfalls.accountId), eq(shortfalls.accountId, account)))

type Standing = Awaited<ReturnType<typeof standingsByAccount>>[number]

const standingsByAccount = queryAmong(
  (ids) => (db) =>
    db
      .select({
        ...standingColumns,
        // Flat columns: a joined object whose first column is null would be read as null.
        shortfall: shortfalls.reason,
        shortAccountId: shortfalls.accountId,
      })
      .from(accounts)
      .leftJoin(customers, eq(customers.id, accounts.customerId))
      .leftJoin(customerOwners, eq(customerOwners.id, accounts.customerId))
      .leftJoin(heldInstitutions, holdsOwner)
      .leftJoin(shortfalls, concernsPayer(sql`${accounts.id}`, param('assetId')))
      .where(inArray(accounts.id, ids))
      .orderBy(asc(shortfalls.key)),
)
