import { and, asc, count, type Db, gt, gte, or, param, prepared, sql } from '@bursar/store'
import { balances, systemBalances } from './balances.table'
import { journal } from './journal.table'
import { chunkRows } from './read-journal'

/** The journal's newest entry in the same statement, and so as of the same moment. */
const head = sql<number>`coalesce((select max(${journal.seq}) from ${journal}), 0)`

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

const balancesAfter = prepared((db) =>
  db
    .select({
      accountId: balances.accountId,
      assetId: balances.assetId,
      available: balances.available,
      frozen: balances.frozen,
      head,
    })
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
const allSystemBalances = prepared((db) =>
  db
    .select({ name: systemBalances.name, assetId: systemBalances.assetId, amount: systemBalances.amount, head })
    .from(systemBalances),
)
const countBalances = prepared((db) => db.select({ rows: count(), head }).from(balances))
