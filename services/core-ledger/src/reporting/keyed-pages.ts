import {
  type Asked,
  and,
  type Db,
  defineList,
  eq,
  exists,
  gt,
  inArray,
  type ListPlace,
  lte,
  nextTurn,
  notExists,
  param,
} from '@bursar/store'
import { assets } from '../assets/assets.table'
import { journal } from '../ledger/journal.table'
import { journalHead } from '../ledger/journal-head'
import { indexedUntil } from '../movements/index-keys'
import { keyOf } from '../movements/key-of'
import { type TransactionRecord, transactionRecord, transactionRows } from '../movements/read-transactions'
import { transactionKeys } from '../movements/transaction-keys.table'
import { transactions } from '../movements/transactions.table'
import { type ListForm, passes } from './transaction-list'

/** How many unindexed entries one statement scans. Under load the index falls behind, and there are many. */
const entriesAtOnce = 2000

/**
 * Transactions by a reference, a hash or an address (`text`, one of the filters): from the index, and from all entries
 * not indexed yet, because a caller who does not find a payment may repeat it.
 */
export function keyedPages(db: Db, asked: Asked<ListForm>, text: string) {
  // The time is compared separately: with bounds of ids, SQLite would scan all transactions instead of those of the
  // key.
  const { form, values } = asked
  const known = { form, values: { ...values, key: keyOf(text) } }
  async function* fresh() {
    const indexed = await indexedUntil(db)
    const newest = await journalHead(db)
    for (let above = indexed; above < newest; above += entriesAtOnce) {
      if (above > indexed) await nextTurn()
      yield { form, values: { ...known.values, above, upTo: Math.min(above + entriesAtOnce, newest), newest } }
    }
  }
  return {
    async read({ offset = 0, ...place }: ListPlace & { limit: number }): Promise<TransactionRecord[]> {
      const whole = { ...place, limit: offset + place.limit }
      const rows: TransactionRecord[] = []
      // In this order, an entry that is indexed meanwhile is read twice, never missed.
      for await (const part of fresh()) rows.push(...(await unindexed.page(db, part, whole)))
      rows.push(...(await indexed.page(db, known, whole)))
      const found = [...new Map(rows.map((row) => [row.id, row])).values()]
      const sign = place.order === 'desc' ? -1 : 1
      return found.sort((one, other) => (one.id < other.id ? -sign : sign)).slice(offset, whole.limit)
    },
    async count(): Promise<number> {
      let total = 0
      for await (const part of fresh()) total += await unindexed.count(db, part)
      return total + (await indexed.count(db, known))
    },
  }
}

/** The transactions of a part of the entries that are not indexed yet. */
const recent = (db: Db) =>
  db
    .select({ id: journal.transactionId })
    .from(journal)
    .where(and(gt(journal.seq, param('above')), lte(journal.seq, param('upTo'))))

/** A transaction with entries in several parts belongs to the last of them. */
const laterEntry = (db: Db) =>
  db
    .select({ seq: journal.seq })
    .from(journal)
    .where(
      and(
        eq(journal.transactionId, transactions.id),
        gt(journal.seq, param('upTo')),
        lte(journal.seq, param('newest')),
      ),
    )

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
  rows: transactionRows,
  to: (row): TransactionRecord => row,
  read: (asked: Asked<ListForm>) => asked,
  where: (form, db) =>
    and(
      inArray(transactions.id, recent(db)),
      notExists(laterEntry(db)),
      notExists(db.select({ key: transactionKeys.key }).from(transactionKeys).where(and(isKey, isItself))),
      passes(db, form),
    ),
})
