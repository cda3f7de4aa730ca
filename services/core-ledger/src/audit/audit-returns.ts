import { and, type Db, isNotNull, ne, not, prepared, type SQL, sql } from '@bursar/store'
import { decisions } from '../decisions/decisions.table'
import { transactions } from '../movements/transactions.table'
import { AuditDifference } from './audit-difference'

/**
 * Checks that every return has the terms of its deposit, which is in suspense while the return is under way and after
 * it was paid; that a deposit has at most one such return; and that each return was decided. In one go, because they
 * are few. Throws AuditDifference.
 */
export async function auditReturns(read: Db): Promise<void> {
  for (const { wrong, what } of faults) {
    const [found] = await wrong(read).execute()
    if (found) throw new AuditDifference(`Transaction ${found.id} returns ${found.returns}, ${what}`)
  }
}

const firstOf = (fault: SQL | undefined) =>
  prepared((db) =>
    db
      .select({ id: transactions.id, returns: transactions.returns })
      .from(transactions)
      .where(and(isNotNull(transactions.returns), fault))
      .limit(1),
  )

/** The returned deposit, with the same terms. */
const deposit = sql`select 1 from ${transactions} as "deposit" where "deposit"."id" = ${transactions.returns}
  and "deposit"."type" = 'DEPOSIT' and ${transactions.type} = 'WITHDRAWAL'
  and "deposit"."account_id" = ${transactions.accountId} and "deposit"."asset_id" = ${transactions.assetId}
  and "deposit"."network" = ${transactions.network} and "deposit"."amount" = ${transactions.amount}
  and "deposit"."source_address" = ${transactions.destinationAddress}`
const isStanding = and(ne(transactions.status, sql`'REJECTED'`), ne(transactions.status, sql`'FAILED'`))
const returnsOfIt = sql`select count(*) from ${transactions} as "other" where "other"."returns" = ${transactions.returns}`
const decided = sql`select count(*) from ${decisions} where ${decisions.transactionId} = ${transactions.returns}
  and ${decisions.decision} = 'RETURNED'`

const faults = [
  { wrong: firstOf(not(sql`exists (${deposit})`)), what: 'which is no deposit of its terms' },
  {
    wrong: firstOf(and(isStanding, not(sql`exists (${deposit} and "deposit"."status" in ('REJECTED', 'FAILED'))`))),
    what: 'which is not in suspense',
  },
  {
    wrong: firstOf(and(isStanding, sql`(${returnsOfIt} and "other"."status" not in ('REJECTED', 'FAILED')) > 1`)),
    what: 'and so does another one',
  },
  { wrong: firstOf(sql`(${returnsOfIt}) <> (${decided})`), what: 'which was not decided as often as it was done' },
]
