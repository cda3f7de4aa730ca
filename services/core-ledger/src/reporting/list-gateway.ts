import { type Asked, and, type Db, defineList, eq, exists, param, variants } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import { fail } from '../errors'
import type { Status } from '../movements/states'
import { transactions } from '../movements/transactions.table'
import { type GatewayRecord, gatewayTransactions } from './gateway'
import type { GatewayQuery } from './gateway.model'
import { hasStatus, isOpen, ofAccount } from './transaction-list'

/** Up to this many accounts are read one by one, by the index; for more, a scan from the newest is faster. */
const fewAccounts = 100
/** The most ids that the scan may read. */
const mostIds = 20_000

/** The limit of offsets, because skipping costs as much as reading (decisions, Deep offsets). */
const farthest = 100_000
const tooFar = `page must not begin more than ${farthest} transactions after the newest: narrow the list by its filters`

/** One page of the transactions that match, newest first. */
export async function listGatewayTransactions(db: Db, query: GatewayQuery): Promise<GatewayRecord[]> {
  return await gatewayTransactions(db, await pageIds(db, query))
}

/** The ids of a page. A rare type of account among a million transactions must not cause a scan of all of them. */
async function pageIds(db: Db, query: GatewayQuery): Promise<string[]> {
  const { page, pageSize, status = 'any' } = query
  const [limit, offset] = [pageSize, (page - 1) * pageSize]
  if (offset > farthest) throw fail('FILTER_INVALID', { message: tooFar })
  const wanted = { id: lower(query.accountId), customerId: lower(query.customerId), type: query.accountType ?? null }
  const filters = accountFilters.filter((name) => wanted[name] !== null)
  const read = (whose: Whose, values: Record<string, unknown>, place = { limit, offset }) =>
    idList.page(db, { form: { whose, status }, values }, { order: 'desc', ...place })
  if (filters.length === 0) return await read([], {})
  const few = idsOf(await someAccounts({ filters })(db).execute(wanted))
  const [only] = few
  if (few.length === 1) return await read(['own'], { accountId: only })
  if (few.length > fewAccounts || few.length * (offset + limit) > mostIds) {
    return await read(filters, wanted)
  }
  const lists = await Promise.all(
    few.map((accountId) => read(['own'], { accountId }, { limit: offset + limit, offset: 0 })),
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

/** The transactions of one account (`own`), of the accounts that match the filters, or all. */
type Whose = AccountFilter[] | ['own'] | []

const ofAccounts = (filters: readonly AccountFilter[]) => filters.map((name) => eq(accounts[name], param(name)))

/** At most one more than the limit. */
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

const isOwn = ({ whose }: Wanted): boolean => whose[0] === 'own'

/** The ids of the matching transactions, by age. */
const idList = defineList({
  id: transactions.id,
  rows: (db) => db.select({ id: transactions.id }).from(transactions),
  to: ({ id }) => id,
  read: (asked: Asked<Wanted>) => asked,
  where: (wanted, db) => and(belongs(db, wanted.whose), hasStatus(wanted.status)),
  // The indexes of open transactions, and of an account's, are used only for their own filters.
  isSparse: (wanted) => {
    if (wanted.status === 'any') return !isOwn(wanted) && wanted.whose.length > 0
    return wanted.whose.length > 0 || !isOpen(wanted.status)
  },
  along: (wanted) => (isOwn(wanted) ? ofAccount : undefined),
})

function belongs(db: Db, whose: Whose) {
  if (whose.length === 0) return undefined
  if (whose[0] === 'own') return ofAccount
  const { id } = accounts
  const passes = and(eq(id, transactions.accountId), ...ofAccounts(whose as AccountFilter[]))
  return exists(db.select({ id }).from(accounts).where(passes))
}
