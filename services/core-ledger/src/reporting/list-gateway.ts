import { and, type Db, eq, exists, firstAfter, gte, keyset, param, readWindows, sql, variants } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import { fail } from '../errors'
import { type Status, statuses } from '../movements/states'
import { transactions } from '../movements/transactions.table'
import { openStatuses } from './counts'
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
  if (filters.length === 0) return await newestIds(db, { whose: [], status }, {}, { limit, offset })
  const few = idsOf(await someAccounts({ filters })(db).execute(wanted))
  const [only] = few
  const ofOne: Wanted = { whose: ['own'], status }
  if (few.length === 1) return await newestIds(db, ofOne, { accountId: only }, { limit, offset })
  if (few.length > fewAccounts || few.length * (offset + limit) > mostIds) {
    return await newestIds(db, { whose: filters, status }, wanted, { limit, offset })
  }
  const lists = await Promise.all(
    few.map((accountId) => newestIds(db, ofOne, { accountId }, { limit: offset + limit, offset: 0 })),
  )
  return lists
    .flat()
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

type Wanted = { whose: Whose; status: Status | 'any' }

/** The ids of a page, newest first: along an index, or a window at a time where few of what is gone through may pass. */
async function newestIds(
  db: Db,
  { whose, status }: Wanted,
  values: Record<string, unknown>,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const place = { after: firstAfter('desc', undefined), limit, offset }
  const isOwn = whose[0] === 'own'
  const isPlain = status === 'any' ? isOwn || whose.length === 0 : whose.length === 0 && isOpen(status)
  if (isPlain) return idsOf(await newest({ whose, status, isBounded: false })(db).execute({ ...values, ...place }))
  const page = newest({ whose, status, isBounded: true })(db)
  const rows = await readWindows(
    {
      order: 'desc',
      end: async (from) => (await windowEnd({ isOwn })(db).execute({ ...values, ...from }))[0]?.id,
      page: (part) => page.execute({ ...values, ...part }),
    },
    place,
  )
  return idsOf(rows)
}

const isOpen = (status: Status): boolean => openStatuses.some((open) => open === status)

const { beyond, by } = keyset(transactions.id, 'desc')

const newest = variants(({ whose, status, isBounded }: Wanted & { isBounded: boolean }) => (db) => {
  const wanted = statuses.find((known) => known === status)
  return db
    .select({ id: transactions.id })
    .from(transactions)
    .where(
      and(
        beyond,
        isBounded ? gte(transactions.id, param('until')) : undefined,
        belongs(db, whose),
        // As a literal: only then is the index over what is open seen to cover it.
        wanted && eq(transactions.status, sql.raw(`'${wanted}'`)),
      ),
    )
    .orderBy(by)
    .limit(param('limit'))
    .offset(param('offset'))
})

/** The id that comes `skip` behind the next one, of an account or of all. */
const windowEnd = variants(
  ({ isOwn }: { isOwn: boolean }) =>
    (db) =>
      db
        .select({ id: transactions.id })
        .from(transactions)
        .where(and(beyond, belongs(db, isOwn ? ['own'] : [])))
        .orderBy(by)
        .limit(1)
        .offset(param('skip')),
)

function belongs(db: Db, whose: Whose) {
  if (whose.length === 0) return undefined
  if (whose[0] === 'own') return eq(transactions.accountId, param('accountId'))
  const { id } = accounts
  const passes = and(eq(id, transactions.accountId), ...ofAccounts(whose as AccountFilter[]))
  return exists(db.select({ id }).from(accounts).where(passes))
}
