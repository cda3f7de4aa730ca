import {
  type ChunkPlace,
  countWindows,
  type Db,
  firstAfter,
  firstWithin,
  inChunks,
  lastWithin,
  readWindows,
  type Windowed,
} from '@bursar/store'
import type { TransactionRecord } from '../movements/read-transactions'
import type { TransactionFilters, TransactionQuery } from '../movements/transactions.model'
import { openStatuses } from './counts'
import { keyedPages } from './keyed-pages'
import { filtersOf, isSparse, keyFilters, valuesOf } from './list-filters'
import { accountsOf, countOf, type ListForm, pageOf, windowEnd } from './list-statements'

/** Rows in one chunk of the list: enough to be fast, few enough that other requests never wait for it. */
const chunkRows = 50
type ReadPage = (place: ChunkPlace<string>) => Promise<TransactionRecord[]>

/**
 * All transactions that match, in the order that is asked for, a chunk at a time: a million rows take no more memory
 * than one chunk. By hash, reference and address they are found by an index; those of a type, asset or network by going
 * through all, or those of the account or the time that is given, a window at a time.
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
  // The index over what is open is short; of the others there are many.
  if (isOpen(form.status)) {
    return await windows(db, form, values).count({ after: firstAfter('asc', undefined), until: '~' })
  }
  const owned = isOfCustomer(form) ? await accountsOf(db).execute({ ...values, limit: fewAccounts + 1 }) : []
  if (!isOfCustomer(form) || owned.length > fewAccounts) return await countWindows(windows(db, form, values))
  let total = 0
  for (const { id } of owned) total += await countWindows(windows(db, ofOneAccount(form), { ...values, accountId: id }))
  return total
}

const isOfCustomer = ({ filters }: ListForm): boolean =>
  filters.includes('customerId') && !filters.includes('accountId')
const ofOneAccount = (form: ListForm): ListForm => ({
  ...form,
  filters: form.filters.map((name) => (name === 'customerId' ? 'accountId' : name)),
})

function readerOf(db: Db, query: TransactionQuery): ReadPage {
  const form = formOf(query, query.order ?? 'asc')
  const values = valuesOf(query)
  const key = keyOfQuery(query)
  if (key !== undefined) return keyedPages(db, { form, values, text: key }).read
  if (isOfCustomer(form)) return async (place) => await pageOfCustomer(db, { form, values }, place)
  return pages(db, form, values)
}

/** Pages along an index, or a window at a time where few of what is gone through may pass. */
function pages(db: Db, form: ListForm, values: Record<string, unknown>): ReadPage {
  const ofAccount = form.filters.includes('accountId')
  const isRare = form.status === 'any' ? isSparse(form.filters) : ofAccount || !isOpen(form.status)
  if (isRare) return (place) => readWindows(windows(db, form, values), place)
  const page = pageOf(form)(db)
  const { end } = windows(db, form, values)
  const isIndexed = form.status === 'any' && form.filters.every((name) => name === 'accountId')
  return async ({ after, limit, offset }) => {
    if (offset === 0 || !isIndexed) {
      return await page.execute({ ...values, after: firstWithin(form.order, after, timeOf(values)), limit, offset })
    }
    // What is skipped is counted off in the index: no transaction of it is read.
    const start = await end({ after, skip: offset - 1 })
    return start === undefined ? [] : await page.execute({ ...values, after: start, limit, offset: 0 })
  }
}

/** The first and the last id of the time that is asked for. */
const timeOf = ({ fromId, toId }: Record<string, unknown>) => ({
  from: fromId as string | undefined,
  to: toId as string | undefined,
})

/** A customer has a few accounts: the transactions of each are in the order of the list, and are merged. */
async function pageOfCustomer(
  db: Db,
  { form, values }: { form: ListForm; values: Record<string, unknown> },
  place: ChunkPlace<string>,
): Promise<TransactionRecord[]> {
  const owned = await accountsOf(db).execute({ ...values, limit: fewAccounts + 1 })
  const { offset, limit } = place
  const isFar = owned.length > 1 && owned.length * (offset + limit) > mostMerged
  if (owned.length > fewAccounts || isFar) return await readWindows(windows(db, form, values), place)
  const ofAccount = ofOneAccount(form)
  const [only] = owned
  if (owned.length === 1) return await pages(db, ofAccount, { ...values, accountId: only?.id })(place)
  const found: TransactionRecord[] = []
  for (const { id } of owned) {
    const read = pages(db, ofAccount, { ...values, accountId: id })
    found.push(...(await read({ ...place, offset: 0, limit: offset + limit })))
  }
  const sign = form.order === 'asc' ? 1 : -1
  return found.sort((one, other) => (one.id < other.id ? -sign : sign)).slice(offset, offset + limit)
}

/** Of so many accounts transactions are merged, and so many in all; of more it is shorter to go through all. */
const fewAccounts = 100
const mostMerged = 20_000

const isOpen = (status: ListForm['status']): boolean => openStatuses.some((open) => open === status)

const keyOfQuery = (query: TransactionFilters): string | undefined =>
  keyFilters.map((name) => query[name]).find((text) => text !== undefined)

const formOf = (query: TransactionFilters, order: 'asc' | 'desc'): ListForm => ({
  order,
  filters: filtersOf(query),
  status: query.status ?? 'any',
})

function windows(db: Db, form: ListForm, values: Record<string, unknown>): Windowed<TransactionRecord> {
  const { order } = form
  // Along what an index answers: the windows of an account are those of its own transactions.
  const filters = form.filters.filter((name) => name === 'accountId' || name === 'from' || name === 'to')
  const bounded = { ...form, isBounded: true }
  const time = timeOf(values)
  const at = (place: { after: string; until?: string }): Record<string, unknown> => ({
    ...values,
    ...place,
    after: firstWithin(order, place.after, time),
    until: lastWithin(order, place.until ?? '', time),
  })
  return {
    order,
    end: async (place) => (await windowEnd({ order, filters })(db).execute(at(place)))[0]?.id,
    page: (place) => pageOf(bounded)(db).execute(at(place)),
    count: async (place) => (await countOf(bounded)(db).execute(at(place)))[0]?.count ?? 0,
  }
}
