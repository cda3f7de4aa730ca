import {
  and,
  asc,
  count,
  type Db,
  eq,
  gt,
  gte,
  like,
  lte,
  or,
  param,
  prepared,
  rowsOf,
  type SQL,
  sql,
} from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import { balances, systemBalances } from '../ledger/balances.table'
import { journal } from '../ledger/journal.table'
import { isOfMovement, type Movable, type Moved } from '../ledger/ledger-accounts'
import { transactions } from '../movements/transactions.table'
import { movements } from '../portfolios/movements.table'
import { countedKinds } from '../reporting/sum-changes'
import { dailyTotals, holdings } from '../reporting/sums.table'
import { chunkRows } from '../seals/read-journal'
import type { Entry } from '../seals/sealed-entry'

/** An entry with the fields of its transaction or movement; null where there is none. */
export interface EntryOfTransaction extends Entry {
  /** Its amount as stored: decimal digits. */
  digits: string
  transaction: (Movable & { assetId: string; digits: string; returns: string | null }) | null
  /** For entries of movements only. */
  movement: (Moved & { assetId: string | null; amount: bigint; bookedAt: Date | null }) | null
  /** The types of its accounts, for entries that are counted; null if unknown here. */
  movementType: string | null
  ownType: string | null
  receiverType: string | null
}

/** The entries numbered `from` to `to`, inclusive, in ascending order. */
export async function entriesWithTransactions(
  db: Db,
  types: AccountTypes,
  from: number,
  to: number,
): Promise<EntryOfTransaction[]> {
  const rows = await entriesBetween(db).execute({ from, to })
  const ofMovements = rows.filter(({ kind }) => isOfMovement(kind)).map(({ transactionId }) => transactionId)
  const found = new Map((await movementsByIds(db, ofMovements)).map((movement) => [movement.id, movement]))
  const counted = rows.filter(({ kind }) => countedKinds.includes(kind))
  await types.learn(
    db,
    counted.flatMap(({ transactionId, transaction }) => [
      transaction?.accountId,
      transaction?.toAccountId,
      found.get(transactionId)?.accountId,
    ]),
  )
  return rows.map(({ digits, ...row }) => {
    const movement = found.get(row.transactionId) ?? null
    return {
      ...row,
      amount: BigInt(digits),
      digits,
      movement,
      movementType: types.of(movement?.accountId),
      ownType: types.of(row.transaction?.accountId),
      receiverType: types.of(row.transaction?.toAccountId),
    }
  })
}

type AccountId = string | null | undefined

/** The most accounts whose types are kept; beyond that all are forgotten. */
const mostTypes = 20_000

export type AccountTypes = ReturnType<typeof accountTypes>

/** The types of accounts, which never change. */
export function accountTypes() {
  const known = new Map<string, string>()
  return {
    async learn(db: Db, ids: readonly AccountId[]): Promise<void> {
      const missing = new Set<string>()
      for (const id of ids) if (id != null && !known.has(id)) missing.add(id)
      if (missing.size === 0) return
      if (known.size + missing.size > mostTypes) {
        known.clear()
        for (const id of ids) if (id != null) missing.add(id)
      }
      for (const { id, type } of await accountsByIds(db, [...missing])) known.set(id, type)
    },
    /** Null if it was not learned, or the account is unknown here. */
    of: (id: AccountId): string | null => (id == null ? null : (known.get(id) ?? null)),
  }
}

const entriesBetween = prepared((db) =>
  db
    .select({
      seq: journal.seq,
      transactionId: journal.transactionId,
      kind: journal.kind,
      assetId: journal.assetId,
      debit: journal.debit,
      credit: journal.credit,
      digits: digitsOf(journal.amount),
      createdAt: journal.createdAt,
      transaction: {
        type: transactions.type,
        accountId: transactions.accountId,
        toAccountId: transactions.toAccountId,
        network: transactions.network,
        assetId: transactions.assetId,
        digits: digitsOf(transactions.amount),
        returns: transactions.returns,
      },
    })
    .from(journal)
    .leftJoin(transactions, eq(transactions.id, journal.transactionId))
    .where(and(gte(journal.seq, param('from')), lte(journal.seq, param('to'))))
    .orderBy(asc(journal.seq)),
)
/** An amount as stored, unparsed: most are only compared. */
const digitsOf = (amount: typeof journal.amount | typeof transactions.amount) => sql<string>`${amount}`
const movementsByIds = rowsOf(movements, 'id')
const accountsByIds = rowsOf(accounts, 'id')
export const balancesAfter = prepared((db) =>
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
    .limit(chunkRows),
)
const isOutside = or(like(systemBalances.name, 'world:%'), like(systemBalances.name, 'fees:%')) as SQL
/** The balances of suspense and of returns under way; they are few. */
export const suspenseRows = prepared((db) => db.select().from(systemBalances).where(sql`not (${isOutside})`))
/** The folded balances of the ledger accounts outside the books; few rows. */
export const outsideRows = prepared((db) => db.select().from(systemBalances).where(isOutside))
export const balanceCount = prepared((db) => db.select({ rows: count() }).from(balances))
/** The totals of the next day that has any; few rows. */
export const totalsAfter = prepared((db) =>
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
export const holdingRows = prepared((db) => db.select().from(holdings))
