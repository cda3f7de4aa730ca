import { type ChunkPlace, type Db, firstAfter, inChunks } from '@bursar/store'
import { keyedPages } from '../lookup/keyed-pages'
import { openStatuses } from './counts'
import { filtersOf, isSparse, keyFilters, valuesOf } from './list-filters'
import { countOf, type ListForm, pageOf, windowEnd } from './list-statements'
import type { TransactionRecord } from './read-transactions'
import type { TransactionFilters, TransactionQuery } from './transactions.model'
import { countWindows, readWindows, type Windowed } from './windows'

/** Rows in one chunk of the list: enough to be fast, few enough that other requests never wait for it. */
const chunkRows = 50
type ReadPage = (place: ChunkPlace<string>) => Promise<TransactionRecord[]>

/**
 * All transactions that match, in the order that is asked for, a chunk at a time: a million rows take no more memory
 * than one chunk. By hash, reference and address they are found by an index; those of a type, asset or network by going
 * through all, or those of the time that is given, a window at a time.
 */
export function transactionChunks(db: Db, query: TransactionQuery): AsyncGenerator<TransactionRecord[]> {
  const { limit, offset, order = 'asc', after } = query
  return inChunks<TransactionRecord, string>(readerOf(db, query), {
    size: chunkRows,
    start: firstAfter(order, after),
    keyOf: ({ id }) => id,
    limit,
    offset,
  })
}

/** How many match in all. Goes through what matches, or through all where no index tells; no statement takes long. */
export async function countTransactions(db: Db, query: TransactionFilters): Promise<number> {
  const form = formOf(query, 'asc')
  const values = valuesOf(query)
  const key = keyOfQuery(query)
  if (key !== undefined) return await keyedPages(db, { form, values, text: key }).count()
  const windowed = windows(db, form, values)
  // The index over what is open is short; of the others there are many.
  if (isOpen(form.status)) return await windowed.count({ after: firstAfter('asc', undefined), until: '~' })
  return await countWindows(windowed)
}

function readerOf(db: Db, query: TransactionQuery): ReadPage {
  const form = formOf(query, query.order ?? 'asc')
  const values = valuesOf(query)
  const key = keyOfQuery(query)
  if (key !== undefined) return keyedPages(db, { form, values, text: key }).read
  const isRare = !isOpen(form.status) && (form.status !== 'any' || isSparse(form.filters))
  if (isRare) return (place) => readWindows(windows(db, form, values), place)
  const page = pageOf(form)(db)
  return (place) => page.execute({ ...values, ...place })
}

const isOpen = (status: ListForm['status']): boolean => openStatuses.some((open) => open === status)

const keyOfQuery = (query: TransactionFilters): string | undefined =>
  keyFilters.map((name) => query[name]).find((text) => text !== undefined)

const formOf = (query: TransactionFilters, order: 'asc' | 'desc'): ListForm => ({
  order,
  filters: filtersOf(query),
  status: query.status ?? 'any',
})

function windows(db: Db, form: ListForm, values: Record<string, unknown>): Windowed {
  const { order, filters } = form
  const bounded = { ...form, isBounded: true }
  return {
    order,
    end: async (place) => (await windowEnd({ order, filters })(db).execute({ ...values, ...place }))[0]?.id,
    page: (place) => pageOf(bounded)(db).execute({ ...values, ...place }),
    count: async (place) => (await countOf(bounded)(db).execute({ ...values, ...place }))[0]?.count ?? 0,
  }
}
