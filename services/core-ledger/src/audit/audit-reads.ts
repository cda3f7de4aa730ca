import {
  and,
  asc,
  count,
  type Db,
  eq,
  getTableColumns,
  gt,
  gte,
  like,
  lte,
  or,
  param,
  prepared,
  type SQL,
  sql,
} from '@bursar/store'
import { balances, systemBalances } from '../ledger/balances.table'
import { journal } from '../ledger/journal.table'
import type { Movable, Moved } from '../ledger/ledger-accounts'
import { transactions } from '../movements/transactions.table'
import { movements } from '../portfolios/movements.table'
import { dailyTotals } from '../reporting/daily-totals.table'
import { accountTypes } from '../reporting/fold'
import { holdings } from '../reporting/holdings.table'
import { chunkRows } from '../seals/read-journal'
import type { Entry } from '../seals/sealed-entry'

/** An entry with what its transaction, or its movement on a chain, says; null where there is no such one. */
export interface EntryOfTransaction extends Entry {
  transaction: (Movable & { assetId: string; amount: bigint; returns: string | null }) | null
  movement: (Moved & { assetId: string | null; amount: bigint; bookedAt: Date | null }) | null
  /** The types of its accounts; null where they are not known here. */
  movementType: string | null
  ownType: string | null
  receiverType: string | null
}

/** The entries with a number from the one to the other, in order. */
export const entriesWithTransactions = (db: Db, from: number, to: number): Promise<EntryOfTransaction[]> =>
  entriesBetween(db).execute({ from, to }) as Promise<EntryOfTransaction[]>

/** The next chunk of balances. */
export const balanceChunk = (read: Db, after: { accountId: string; assetId: string }) =>
  balancesAfter(read).execute({ accountId: after.accountId, assetId: after.assetId, limit: chunkRows })

/** The balances of suspense and of what is on its way back; they are few. */
export const suspenseRows = (read: Db) => allSuspense(read).execute()

/** What is outside the books, as far as it is folded; few rows. */
export const outsideRows = (read: Db) => allOutside(read).execute()

/** The number of balances. */
export const balanceCount = async (read: Db): Promise<number> => (await countBalances(read).execute())[0]?.rows ?? 0

/** The totals of the first day after this one that has any; few rows. */
export const totalsAfter = (read: Db, day: string) => totalsOfNextDay(read).execute({ day })

/** The holdings by type of account; few rows. */
export const holdingRows = (read: Db) => allHoldings(read).execute()

const entriesBetween = prepared((db) =>
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
      ...accountTypes,
    })
    .from(journal)
    .leftJoin(transactions, eq(transactions.id, journal.transactionId))
    .leftJoin(movements, eq(movements.id, journal.transactionId))
    .where(and(gte(journal.seq, param('from')), lte(journal.seq, param('to'))))
    .orderBy(asc(journal.seq)),
)
const balancesAfter = prepared((db) =>
  db
    .select()
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
const isOutside = or(like(systemBalances.name, 'world:%'), like(systemBalances.name, 'fees:%')) as SQL
const allSuspense = prepared((db) => db.select().from(systemBalances).where(sql`not (${isOutside})`))
const allOutside = prepared((db) => db.select().from(systemBalances).where(isOutside))
const countBalances = prepared((db) => db.select({ rows: count() }).from(balances))
const totalsOfNextDay = prepared((db) =>
  db
    .select()
    .from(dailyTotals)
    .where(
      eq(
        dailyTotals.day,
        sql`(select min("later"."day") from ${dailyTotals} as "later" where "later"."day" > ${param('day')})`,
      ),
    ),
)
const allHoldings = prepared((db) => db.select().from(holdings))
