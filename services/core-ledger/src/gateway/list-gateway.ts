import { and, type Db, desc, eq, exists, param, sql, variants } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import { fail } from '../errors'
import { type Status, statuses } from '../transactions/states'
import { transactions } from '../transactions/transactions.table'
import { type GatewayRecord, gatewayTransactions } from './gateway'
import type { GatewayQuery } from './gateway.model'

/** So many accounts are looked through one by one, by the index; among more, newest first is the shorter way. */
const fewAccounts = 100
/** How many ids may be looked through on that way. */
const mostIds = 20_000

/** Skipping costs as much as reading (decisions, Deep offsets). */
const farthest = 100_000
const tooFar = `page must not begin more than ${farthest} transactions after the newest: narrow the list by its filters`

/** One page of the transactions that match, newest first. */
export async function listGatewayTransactions(db: Db, query: GatewayQuery): Promise<GatewayRecord[]> {
  return await gatewayTransactions(db, await pageIds(db, query))
}

/** The ids of a page. A rare kind of account among a million transactions must not be a search through all of them. */
async function pageIds(db: Db, query: GatewayQuery): Promise<string[]> {
  const { page, pageSize, status = 'any' } = query
  const [limit, offset] = [pageSize, (page - 1) * pageSize]
  if (offset > farthest) throw fail('FILTER_INVALID', { message: tooFar })
  const wanted = { id: lower(query.accountId), customerId: lower(query.customerId), type: query.accountType ?? null }
  const filters = accountFilters.filter((name) => wanted[name] !== null)
  if (filters.length === 0) return idsOf(await newest({ whose: [], status })(db).execute({ limit, offset }))
  const few = idsOf(await someAccounts({ filters })(db).execute(wanted))
  const [only] = few
  const newestOf = newest({ whose: ['own'], status })(db)
  if (few.length === 1) return idsOf(await newestOf.execute({ accountId: only, limit, offset }))
  if (few.length > fewAccounts || few.length * (offset + limit) > mostIds) {
    return idsOf(await newest({ whose: filters, status })(db).execute({ ...wanted, limit, offset }))
  }
  const lists = await Promise.all(
    few.map((accountId) => newestOf.execute({ accountId, limit: offset + limit, offset: 0 })),
  )
  return idsOf(lists.flat())
    .sort((one, other) => (one < other ? 1 : -1))
    .slice(offset, offset + limit)
}

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id)
const lower = (text: string | null | undefined): string | null => text?.toLowerCase() ?? null

const accountFilters = ['id', 'customerId', 'type'] as const
type AccountFilter = (typeof accountFilters)[number]

/** One account's (`own`), those of the accounts that pass the filters, or all. */
type Whose = AccountFilter[] | ['own'] | []

const ofAccounts = (filters: readonly AccountFilter[]) => filters.map((name) => eq(accounts[name], param(name)))

/** One more than few when there are many. */
const someAccounts = variants(
  ({ filters }: { filters: AccountFilter[] }) =>
    (db) =>
      db
        .select({ id: accounts.id })
        .from(accounts)
        .where(and(...ofAccounts(filters)))
        .limit(fewAccounts + 1),
)

const newest = variants(({ whose, status }: { whose: Whose; status: Status | 'any' }) => (db) => {
  const wanted = statuses.find((known) => known === status)
  return db
    .select({ id: transactions.id })
    .from(transactions)
    .where(
      and(
        belongs(db, whose),
        // As a literal: only then is the index over what is open seen to cover it.
        wanted && eq(transactions.status, sql.raw(`'${wanted}'`)),
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(param('limit'))
    .offset(param('offset'))
})

function belongs(db: Db, whose: Whose) {
  if (whose.length === 0) return undefined
  if (whose[0] === 'own') return eq(transactions.accountId, param('accountId'))
  const { id } = accounts
  const passes = and(eq(id, transactions.accountId), ...ofAccounts(whose as AccountFilter[]))
  return exists(db.select({ id }).from(accounts).where(passes))
}
