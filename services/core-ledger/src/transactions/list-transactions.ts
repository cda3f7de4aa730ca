import { and, asc, type Db, eq, gt, inArray, param, type Store, sql, variants } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import { assets } from '../assets/assets.table'
import { type TransactionRecord, toTransaction, transactionRecord } from './read-transactions'
import { type Status, statuses } from './states'
import type { TransactionQuery } from './transactions.model'
import { transactions } from './transactions.table'

/** Rows in one piece of the answer: enough to be fast, few enough that other requests never wait for it. */
const chunkRows = 50

/**
 * GET /transactions: all that match, oldest first, as the text of one JSON array in pieces. Each piece is read when it
 * is asked for, from where the last one ended, so that a million rows take no more memory than one piece.
 */
export async function* transactionChunks(store: Store, query: TransactionQuery): AsyncGenerator<string> {
  const { status, limit = Number.MAX_SAFE_INTEGER, offset = 0, type } = query
  const values = { type, customerId: query.customerId?.toLowerCase(), accountId: query.accountId?.toLowerCase() }
  const filters = filterNames.filter((name) => values[name] !== undefined)
  const page = pageOf(filters, status ?? 'any')(store.read)
  let left = limit
  let after = ''
  let skip = offset
  let text = '['
  while (left > 0) {
    const size = Math.min(left, chunkRows)
    const rows: TransactionRecord[] = await page.execute({ ...values, after, limit: size, offset: skip })
    const separator = after === '' ? '' : ','
    if (rows.length > 0) text += separator + rows.map((row) => JSON.stringify(toTransaction(row))).join()
    const last = rows.at(-1)
    if (!last || rows.length < size) break
    after = last.id
    skip = 0
    left -= rows.length
    yield text
    text = ''
  }
  yield `${text}]`
}

const conditions = {
  type: () => eq(transactions.type, param('type')),
  customerId: (db: Db) => inArray(transactions.accountId, accountsOfCustomer(db)),
  accountId: () => eq(transactions.accountId, param('accountId')),
}
type Filter = keyof typeof conditions
const filterNames = Object.keys(conditions) as Filter[]

const accountsOfCustomer = (db: Db) =>
  db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.customerId, param('customerId')))

/** As a literal: only then is the index over what is open seen to cover it. */
const hasStatus = (status: Status) => eq(transactions.status, sql.raw(`'${status}'`))

const pageOf = variants((filters: Filter[], status: Status | 'any') => {
  const wanted = statuses.find((known) => known === status)
  return (db) =>
    db
      .select(transactionRecord)
      .from(transactions)
      .innerJoin(assets, eq(assets.id, transactions.assetId))
      .where(
        and(
          gt(transactions.id, param('after')),
          wanted && hasStatus(wanted),
          ...filters.map((name) => conditions[name](db)),
        ),
      )
      .orderBy(asc(transactions.id))
      .limit(param('limit'))
      .offset(param('offset'))
})
