import { and, asc, count, type Db, eq, getTableColumns, gt, gte, lte, or, param, prepared, sql } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import { movements } from '../executions/movements.table'
import { dailyTotals } from '../overview/daily-totals.table'
import { holdings } from '../overview/holdings.table'
import { transactions } from '../transactions/transactions.table'
import { balances, systemBalances } from './balances.table'
import { journal } from './journal.table'
import type { Movable, Moved } from './ledger-accounts'
import { chunkRows } from './read-journal'
import type { Entry } from './sealed-entry'

/** An entry with what its transaction, or its movement on a chain, says; null where there is no such one. */
export interface EntryOfTransaction extends Entry {
  transaction: (Movable & { assetId: string; amount: bigint; returns: string | null }) | null
  movement: (Moved & { assetId: string | null; amount: bigint; bookedAt: Date | null }) | null
  /** The types of its accounts; null where they are not known here. */
  movementType: string | null
  ownType: string | null
  receiverType: string | null
}

/** One chunk of the entries after `seq` up to and with `upTo`, in order. */
export const entriesWithTransactions = (read: Db, seq: number, upTo: number): Promise<EntryOfTransaction[]> =>
  entryChunk(read).execute({ seq, upTo, limit: chunkRows }) as Promise<EntryOfTransaction[]>

/** The journal's newest entry in the same statement, and so as of the same moment. */
const head = sql<number>`coalesce((select max(${journal.seq}) from ${journal}), 0)`.mapWith(Number)

/** The next chunk of balances, each with the journal's head at the time of reading. */
export const balanceChunk = (read: Db, after: { accountId: string; assetId: string }) =>
  balancesAfter(read).execute({ accountId: after.accountId, assetId: after.assetId, limit: chunkRows })

/** The balances of the ledger's own accounts; they are few. */
export const systemRows = (read: Db) => allSystemBalances(read).execute()

/** How many balances there are. */
export async function balanceCount(read: Db): Promise<{ rows: number; head: number }> {
  const [row] = await countBalances(read).execute()
  return row ?? { rows: 0, head: 0 }
}

/** The totals of the first day after this one that has any; few rows. */
export const totalsAfter = (read: Db, day: string) => totalsOfNextDay(read).execute({ day })

/** How many totals there are. */
export async function totalsCount(read: Db): Promise<{ rows: number; head: number }> {
  const [row] = await countTotals(read).execute()
  return row ?? { rows: 0, head: 0 }
}

/** What the accounts of each type hold; few rows. */
export const holdingRows = (read: Db) => allHoldings(read).execute()

type AccountColumn = typeof transactions.accountId | typeof transactions.toAccountId | typeof movements.accountId
const typeOf = (account: AccountColumn) =>
  sql<string | null>`(select ${accounts.type} from ${accounts} where ${accounts.id} = ${account})`
const entryChunk = prepared((db) =>
  db
    .select({
      ...getTableColumns(journal),
      transaction: {
        type: transactions.type,
        accountId: transactions.accountId,
        toAccountId: transactions.toAccountId,
        network: transactions.network,
        assetId: transactions.assetId,
        amount: transactions.amount,
        returns: transactions.returns,
      },
      movement: {
        kind: movements.kind,
        accountId: movements.accountId,
        network: movements.network,
        assetId: movements.assetId,
        amount: movements.amount,
        bookedAt: movements.bookedAt,
      },
      movementType: typeOf(movements.accountId),
      ownType: typeOf(transactions.accountId),
      receiverType: typeOf(transactions.toAccountId),
    })
    .from(journal)
    .leftJoin(transactions, eq(transactions.id, journal.transactionId))
    .leftJoin(movements, eq(movements.id, journal.transactionId))
    .where(and(gt(journal.seq, param('seq')), lte(journal.seq, param('upTo'))))
    .orderBy(asc(journal.seq))
    .limit(param('limit')),
)
const balancesAfter = prepared((db) =>
  db
    .select({ ...getTableColumns(balances), head })
    .from(balances)
    .where(
      and(
        gte(balances.accountId, param('accountId')),
        or(gt(balances.accountId, param('accountId')), gt(balances.assetId, param('assetId'))),
      ),
    )
    .orderBy(asc(balances.accountId), asc(balances.assetId))
    .limit(param('limit')),
)
const allSystemBalances = prepared((db) => db.select({ ...getTableColumns(systemBalances), head }).from(systemBalances))
const countBalances = prepared((db) => db.select({ rows: count(), head }).from(balances))
const totalsOfNextDay = prepared((db) =>
  db
    .select({ ...getTableColumns(dailyTotals), head })
    .from(dailyTotals)
    .where(
      eq(
        dailyTotals.day,
        sql`(select min("later"."day") from ${dailyTotals} as "later" where "later"."day" > ${param('day')})`,
      ),
    ),
)
const countTotals = prepared((db) => db.select({ rows: count(), head }).from(dailyTotals))
const allHoldings = prepared((db) => db.select({ ...getTableColumns(holdings), head }).from(holdings))
