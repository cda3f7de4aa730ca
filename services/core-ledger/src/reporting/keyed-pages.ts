import {
  and,
  type ChunkPlace,
  count,
  countWindows,
  type Db,
  desc,
  eq,
  gt,
  gte,
  inArray,
  keyset,
  lte,
  notExists,
  type Order,
  param,
  readWindows,
  variants,
  type Windowed,
} from '@bursar/store'
import { assets } from '../assets/assets.table'
import { journal } from '../ledger/journal.table'
import { indexedUntil } from '../movements/index-keys'
import { keyOf } from '../movements/key-of'
import { type TransactionRecord, transactionRecord } from '../movements/read-transactions'
import { transactionKeys } from '../movements/transaction-keys.table'
import { transactions } from '../movements/transactions.table'
import { type ListForm, passes, untilOf } from './list-statements'

/** How many of the newest entries are looked through that are not indexed yet; more only when the index is far behind. */
const mostUnindexed = 2000

interface Wanted {
  /** With the filter among its filters by which they are found. */
  form: ListForm
  values: Record<string, unknown>
  /** That filter's text. */
  text: string
}

/**
 * Transactions by a reference, a hash or an address: those of the index, and among the newest entries those that are not
 * in it yet.
 */
export function keyedPages(db: Db, { form, values, text }: Wanted) {
  const key = keyOf(text)
  const bounded = { ...form, isBounded: true }
  const windows: Windowed<TransactionRecord> = {
    order: form.order,
    end: async (place) => (await windowEnd({ order: form.order })(db).execute({ key, ...place }))[0]?.id,
    page: (place) => indexed(bounded)(db).execute({ ...values, ...place, key }),
    count: async (place) => (await countIndexed(bounded)(db).execute({ ...values, ...place, key }))[0]?.count ?? 0,
  }
  return {
    async read(place: ChunkPlace<string>): Promise<TransactionRecord[]> {
      const wanted = { ...values, ...place, key, limit: place.offset + place.limit, offset: 0 }
      // In this order: what is indexed in between is in both, and not in neither.
      const fresh = await unindexed(form)(db).execute({ ...wanted, ...(await tail(db)) })
      const known = await readWindows(windows, { ...place, limit: place.offset + place.limit, offset: 0 })
      const ids = new Set(known.map(({ id }) => id))
      const rows = [...known, ...fresh.filter(({ id }) => !ids.has(id))]
      const sign = form.order === 'asc' ? 1 : -1
      rows.sort((one, other) => (one.id < other.id ? -sign : sign))
      return rows.slice(place.offset, place.offset + place.limit)
    },
    async count(): Promise<number> {
      const [fresh] = await countUnindexed(form)(db).execute({ ...values, key, ...(await tail(db)) })
      return (fresh?.count ?? 0) + (await countWindows(windows))
    },
  }
}

const tail = async (db: Db) => ({ seq: await indexedUntil(db), most: mostUnindexed })

/** The transactions of the entries that are not indexed yet, at most so many. */
const recent = (db: Db) =>
  db
    .select({ id: journal.transactionId })
    .from(journal)
    .where(gt(journal.seq, param('seq')))
    .orderBy(desc(journal.seq))
    .limit(param('most'))

/** The time is compared by itself: a bound of ids would have the database go along all transactions instead of the key's. */
const passesKeyed = (db: Db, form: ListForm) => [
  ...passes(db, { ...form, filters: form.filters.filter((name) => name !== 'from' && name !== 'to') }),
  form.filters.includes('from') ? gte(transactions.createdAt, param('from')) : undefined,
  form.filters.includes('to') ? lte(transactions.createdAt, param('to')) : undefined,
]

const indexed = variants((form: ListForm) => {
  const page = keyset(transactionKeys.transactionId, form.order)
  const end = untilOf(form, transactionKeys.transactionId)
  return (db) =>
    db
      .select(transactionRecord)
      .from(transactionKeys)
      .innerJoin(transactions, eq(transactions.id, transactionKeys.transactionId))
      .innerJoin(assets, eq(assets.id, transactions.assetId))
      .where(and(eq(transactionKeys.key, param('key')), page.beyond, end, ...passesKeyed(db, form)))
      .orderBy(page.by)
      .limit(param('limit'))
})

const unindexed = variants((form: ListForm) => {
  const page = keyset(transactions.id, form.order)
  return (db) =>
    db
      .select(transactionRecord)
      .from(transactions)
      .innerJoin(assets, eq(assets.id, transactions.assetId))
      .where(and(inArray(transactions.id, recent(db)), page.beyond, ...passesKeyed(db, form)))
      .orderBy(page.by)
      .limit(param('limit'))
})

const countIndexed = variants((form: ListForm) => {
  const { beyond } = keyset(transactionKeys.transactionId, form.order)
  const end = untilOf(form, transactionKeys.transactionId)
  return (db) =>
    db
      .select({ count: count() })
      .from(transactionKeys)
      .innerJoin(transactions, eq(transactions.id, transactionKeys.transactionId))
      .where(and(eq(transactionKeys.key, param('key')), beyond, end, ...passesKeyed(db, form)))
})

/** The id that comes `skip` behind the next one of a key. */
const windowEnd = variants(({ order }: { order: Order }) => {
  const page = keyset(transactionKeys.transactionId, order)
  return (db) =>
    db
      .select({ id: transactionKeys.transactionId })
      .from(transactionKeys)
      .where(and(eq(transactionKeys.key, param('key')), page.beyond))
      .orderBy(page.by)
      .limit(1)
      .offset(param('skip'))
})

const countUnindexed = variants((form: ListForm) => (db) => {
  const { key, transactionId } = transactionKeys
  const known = and(eq(key, param('key')), eq(transactionId, transactions.id))
  return db
    .select({ count: count() })
    .from(transactions)
    .where(
      and(
        inArray(transactions.id, recent(db)),
        notExists(db.select({ key }).from(transactionKeys).where(known)),
        ...passesKeyed(db, form),
      ),
    )
})
