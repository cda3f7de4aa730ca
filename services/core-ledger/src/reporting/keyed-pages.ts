import {
  type Asked,
  and,
  type Db,
  defineList,
  desc,
  eq,
  exists,
  gt,
  inArray,
  type ListPlace,
  notExists,
  param,
} from '@bursar/store'
import { assets } from '../assets/assets.table'
import { journal } from '../ledger/journal.table'
import { indexedUntil } from '../movements/index-keys'
import { keyOf } from '../movements/key-of'
import { type TransactionRecord, transactionRecord } from '../movements/read-transactions'
import { transactionKeys } from '../movements/transaction-keys.table'
import { transactions } from '../movements/transactions.table'
import { type ListForm, passes } from './transaction-list'

/** How many of the newest, unindexed entries are scanned; there are more only if the index is far behind. */
const mostUnindexed = 2000

/**
 * Transactions by a reference, a hash or an address (`text`, which is among the filters), from the index and from the
 * newest entries that are not indexed yet.
 */
export function keyedPages(db: Db, asked: Asked<ListForm>, text: string) {
  // The time is compared separately: with bounds of ids, SQLite would scan all transactions instead of those of the
  // key.
  const { form, values } = asked
  const known = { form, values: { ...values, key: keyOf(text) } }
  const fresh = async () => ({
    form,
    values: { ...known.values, seq: await indexedUntil(db), most: mostUnindexed },
  })
  return {
    async read({ offset = 0, ...place }: ListPlace & { limit: number }): Promise<TransactionRecord[]> {
      const whole = { ...place, limit: offset + place.limit }
      // In this order, an entry that is indexed meanwhile is read twice, never missed.
      const rows = [...(await unindexed.page(db, await fresh(), whole)), ...(await indexed.page(db, known, whole))]
      const found = [...new Map(rows.map((row) => [row.id, row])).values()]
      const sign = place.order === 'desc' ? -1 : 1
      return found.sort((one, other) => (one.id < other.id ? -sign : sign)).slice(offset, whole.limit)
    },
    count: async (): Promise<number> => (await unindexed.count(db, await fresh())) + (await indexed.count(db, known)),
  }
}

/** The transactions of the entries that are not indexed yet, up to a limit. */
const recent = (db: Db) =>
  db
    .select({ id: journal.transactionId })
    .from(journal)
    .where(gt(journal.seq, param('seq')))
    .orderBy(desc(journal.seq))
    .limit(param('most'))

const isKey = eq(transactionKeys.key, param('key'))
const isItself = eq(transactions.id, transactionKeys.transactionId)

const indexed = defineList({
  id: transactionKeys.transactionId,
  rows: (db) =>
    db
      .select(transactionRecord)
      .from(transactionKeys)
      .innerJoin(transactions, isItself)
      .innerJoin(assets, eq(assets.id, transactions.assetId)),
  to: (row): TransactionRecord => row,
  read: (asked: Asked<ListForm>) => asked,
  where: (form, db) =>
    and(
      isKey,
      exists(
        db
          .select({ id: transactions.id })
          .from(transactions)
          .where(and(isItself, passes(db, form))),
      ),
    ),
  isSparse: () => true,
  along: () => isKey,
  countsAll: true,
})

const unindexed = defineList({
  id: transactions.id,
  rows: (db) => db.select(transactionRecord).from(transactions).innerJoin(assets, eq(assets.id, transactions.assetId)),
  to: (row): TransactionRecord => row,
  read: (asked: Asked<ListForm>) => asked,
  where: (form, db) =>
    and(
      inArray(transactions.id, recent(db)),
      notExists(db.select({ key: transactionKeys.key }).from(transactionKeys).where(and(isKey, isItself))),
      passes(db, form),
    ),
})
