import { type ChunkPlace, type Db, firstAfter, inChunks } from '@bursar/store'
import { keyedPages } from '../lookup/keyed-pages'
import { filtersOf, isSparse, keyFilters, valuesOf } from './list-filters'
import { countOf, type ListForm, pageOf, windowEnd } from './list-statements'
import type { TransactionRecord } from './read-transactions'
import type { TransactionFilters, TransactionQuery } from './transactions.model'

/** Rows in one chunk of the list: enough to be fast, few enough that other requests never wait for it. */
const chunkRows = 50
/** How many transactions one statement goes through where a filter passes few of them. */
const windowRows = 10_000

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
  const key = keyFilters.find((name) => query[name] !== undefined)
  if (key) return await keyedPages(db, { form, values, text: query[key] ?? '' }).count()
  const count = countOf({ ...form, isBounded: true })(db)
  let total = 0
  for (let after = firstAfter('asc', undefined); ; ) {
    const until = form.status === 'any' ? await endOfWindow(db, form, values, after) : undefined
    const [row] = await count.execute({ ...values, after, until: until ?? firstAfter('desc', undefined) })
    total += row?.count ?? 0
    if (until === undefined) return total
    after = until
  }
}

function readerOf(db: Db, query: TransactionQuery): ReadPage {
  const form = formOf(query, query.order ?? 'asc')
  const values = valuesOf(query)
  const key = keyFilters.find((name) => query[name] !== undefined)
  if (key) return keyedPages(db, { form, values, text: query[key] ?? '' }).read
  if (form.status === 'any' && isSparse(form.filters)) return windows(db, form, values)
  const page = pageOf(form)(db)
  return (place) => page.execute({ ...values, ...place })
}

const formOf = (query: TransactionFilters, order: 'asc' | 'desc'): ListForm => ({
  order,
  filters: filtersOf(query),
  status: query.status ?? 'any',
})

/** Reads a window at a time until a page is full: each statement goes through so many rows, and no more. */
const windows =
  (db: Db, form: ListForm, values: Record<string, unknown>): ReadPage =>
  async ({ after, limit, offset }) => {
    const page = pageOf({ ...form, isBounded: true })(db)
    const found: TransactionRecord[] = []
    let skip = offset
    for (let place = after; ; ) {
      const until = await endOfWindow(db, form, values, place)
      const last = until ?? firstAfter(form.order === 'asc' ? 'desc' : 'asc', undefined)
      const wanted = skip + limit - found.length
      const rows = await page.execute({ ...values, after: place, until: last, limit: wanted, offset: 0 })
      found.push(...rows.slice(skip))
      skip = Math.max(0, skip - rows.length)
      if (found.length >= limit || until === undefined) return found
      place = until
    }
  }

/** The id with which a window ends; undefined when fewer are left. */
async function endOfWindow(db: Db, { order, filters }: ListForm, values: Record<string, unknown>, after: string) {
  const [row] = await windowEnd({ order, filters })(db).execute({ ...values, after, skip: windowRows - 1 })
  return row?.id
}
