import { type Asked, type ChunkPlace, type Db, inChunks, type ListPlace, param, variants } from '@bursar/store'
import { type TransactionRecord, transactionsById } from '../movements/read-transactions'
import type { TransactionQuery } from '../movements/transactions.model'
import { keyedPages } from './keyed-pages'
import { type AccountFilter, accountFilters, accountsOf, keyFilters, type TransactionFilters } from './list-filters'
import { askedOf, type ListForm, transactionIds, transactionList } from './transaction-list'

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
  const owned = await fewOf(db, asked)
  if (!owned) return await transactionList.count(db, asked)
  let total = 0
  for (const account of owned) total += await transactionList.count(db, account)
  return total
}

/** The filters of accounts that a query has; none if it names the account. */
const accountFiltersOf = ({ form: { filters } }: Asked<ListForm>): AccountFilter[] =>
  filters.includes('accountId') ? [] : accountFilters.filter((name) => filters.includes(name))

/** The query for each of the accounts that it is about; null if there are more than a few, or it is about all. */
async function fewOf(db: Db, asked: Asked<ListForm>): Promise<Asked<ListForm>[] | null> {
  const about = accountFiltersOf(asked)
  if (about.length === 0) return null
  const owned = await someAccounts({ about })(db).execute({ ...asked.values, most: fewAccounts + 1 })
  if (owned.length > fewAccounts) return null
  const others = asked.form.filters.filter((name) => !accountFilters.some((each) => each === name))
  const form = { ...asked.form, filters: [...others, 'accountId' as const] }
  return owned.map(({ id }) => ({ ...asked, form, values: { ...asked.values, accountId: id } }))
}

/**
 * The ids of a page by age. A customer has few accounts: the ordered ids of each are merged. Records of rows that are
 * skipped would hold the event loop.
 */
async function idsOfPage(db: Db, asked: Asked<ListForm>, place: Parameters<ReadPage>[0]): Promise<string[]> {
  const owned = await fewOf(db, asked)
  const { order, offset, limit } = place
  const [only] = owned ?? []
  if (only && owned?.length === 1) return await transactionIds.page(db, only, place)
  if (!owned || owned.length * (offset + limit) > mostMerged) return await transactionIds.page(db, asked, place)
  const found: string[] = []
  for (const account of owned) {
    found.push(...(await transactionIds.page(db, account, { ...place, offset: 0, limit: offset + limit })))
  }
  const sign = order === 'desc' ? -1 : 1
  return found.sort((one, other) => (one < other ? -sign : sign)).slice(offset, offset + limit)
}

/** The ids of a page, without filters that have an index of keys. */
export const transactionIdPage = (
  db: Db,
  query: TransactionFilters,
  place: Parameters<ReadPage>[0],
): Promise<string[]> => idsOfPage(db, askedOf(query), place)

function readerOf(db: Db, query: TransactionQuery): ReadPage {
  const asked = askedOf(query)
  const key = keyOfQuery(query)
  if (key !== undefined) return keyedPages(db, asked, key).read
  if (accountFiltersOf(asked).length === 0) return (place) => transactionList.page(db, asked, place)
  return async (place) => {
    const ids = await idsOfPage(db, asked, place)
    const found = await transactionsById(db, ids)
    return ids.flatMap((id) => found.get(id) ?? [])
  }
}

/** The most accounts, and the most transactions, that are merged; beyond that a scan of all is faster. */
const fewAccounts = 100
const mostMerged = 20_000

const someAccounts = variants(
  ({ about }: { about: AccountFilter[] }) =>
    (db) =>
      accountsOf(db, about).limit(param('most')),
)

const keyOfQuery = (query: TransactionFilters): string | undefined =>
  keyFilters.map((name) => query[name]).find((text) => text !== undefined)
