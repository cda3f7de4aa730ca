import { type Asked, type ChunkPlace, type Db, eq, inChunks, type ListPlace, param, prepared } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import type { TransactionRecord } from '../movements/read-transactions'
import type { TransactionFilters, TransactionQuery } from '../movements/transactions.model'
import { keyedPages } from './keyed-pages'
import { keyFilters } from './list-filters'
import { askedOf, type ListForm, transactionList } from './transaction-list'

/** Rows per chunk of the list: enough to be fast, few enough not to delay other requests. */
const chunkRows = 50
type ReadPage = (place: ListPlace & { limit: number; offset: number }) => Promise<TransactionRecord[]>

/**
 * All transactions that match, in the requested order, in chunks: a million rows need no more memory than one chunk.
 * Hash, reference and address have an index; a filter by type, asset or network scans all transactions, or those of the
 * given account or time, in windows.
 */
export function transactionChunks(db: Db, query: TransactionQuery): AsyncGenerator<TransactionRecord[]> {
  const { limit, offset, order, after } = query
  const read = readerOf(db, query)
  return inChunks((place: ChunkPlace<string | undefined>) => read({ ...place, order }), {
    size: chunkRows,
    start: after,
    keyOf: ({ id }) => id,
    limit,
    offset,
  })
}

/** The number of all matches. Scans the matches, or all transactions if there is no index, in short statements. */
export async function countTransactions(db: Db, query: TransactionFilters): Promise<number> {
  const asked = askedOf(query)
  const key = keyOfQuery(query)
  if (key !== undefined) return await keyedPages(db, asked, key).count()
  const owned = isOfCustomer(asked) ? await fewOf(db, asked) : null
  if (!owned) return await transactionList.count(db, asked)
  let total = 0
  for (const account of owned) total += await transactionList.count(db, account)
  return total
}

const isOfCustomer = ({ form: { filters } }: Asked<ListForm>): boolean =>
  filters.includes('customerId') && !filters.includes('accountId')

/** The query for each of the customer's accounts; null if there are more than a few. */
async function fewOf(db: Db, asked: Asked<ListForm>): Promise<Asked<ListForm>[] | null> {
  const owned = await accountsOf(db).execute({ ...asked.values, most: fewAccounts + 1 })
  if (owned.length > fewAccounts) return null
  const filters = asked.form.filters.map((name) => (name === 'customerId' ? 'accountId' : name))
  return owned.map(({ id }) => ({
    ...asked,
    form: { ...asked.form, filters },
    values: { ...asked.values, accountId: id },
  }))
}

function readerOf(db: Db, query: TransactionQuery): ReadPage {
  const asked = askedOf(query)
  const key = keyOfQuery(query)
  if (key !== undefined) return keyedPages(db, asked, key).read
  if (isOfCustomer(asked)) return async (place) => await pageOfCustomer(db, asked, place)
  return (place) => transactionList.page(db, asked, place)
}

/** A customer has few accounts: the ordered transactions of each are merged. */
async function pageOfCustomer(
  db: Db,
  asked: Asked<ListForm>,
  place: Parameters<ReadPage>[0],
): Promise<TransactionRecord[]> {
  const owned = await fewOf(db, asked)
  const { order, offset, limit } = place
  const [only] = owned ?? []
  if (only && owned?.length === 1) return await transactionList.page(db, only, place)
  if (!owned || owned.length * (offset + limit) > mostMerged) return await transactionList.page(db, asked, place)
  const found: TransactionRecord[] = []
  for (const account of owned) {
    found.push(...(await transactionList.page(db, account, { ...place, offset: 0, limit: offset + limit })))
  }
  const sign = order === 'desc' ? -1 : 1
  return found.sort((one, other) => (one.id < other.id ? -sign : sign)).slice(offset, offset + limit)
}

/** The most accounts, and the most transactions, that are merged; beyond that a scan of all is faster. */
const fewAccounts = 100
const mostMerged = 20_000

const accountsOf = prepared((db) =>
  db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.customerId, param('customerId')))
    .limit(param('most')),
)

const keyOfQuery = (query: TransactionFilters): string | undefined =>
  keyFilters.map((name) => query[name]).find((text) => text !== undefined)
