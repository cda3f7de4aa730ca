import { and, asc, type Db, eq, gt, inArray, inChunks, param, sql, variants } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import { assets } from '../assets/assets.table'
import { type TransactionRecord, transactionRecord } from './read-transactions'
import { type Status, statuses } from './states'
import type { TransactionQuery } from './transactions.model'
import { transactions } from './transactions.table'

/** Rows in one chunk of the list: enough to be fast, few enough that other requests never wait for it. */
const chunkRows = 50

/** All transactions that match, oldest first, a chunk at a time: a million rows take no more memory than one chunk. */
export function transactionChunks(db: Db, query: TransactionQuery): AsyncGenerator<TransactionRecord[]> {
  const { status, limit, offset, type } = query
  const values = { type, customerId: query.customerId?.toLowerCase(), accountId: query.accountId?.toLowerCase() }
  const filters = filterNames.filter((name) => values[name] !== undefined)
  const page = pageOf({ filters, status: status ?? 'any' })(db)
  return inChunks<TransactionRecord, string>((place) => page.execute({ ...values, ...place }), {
    size: chunkRows,
    start: '',
    keyOf: ({ id }) => id,
    limit,
    offset,
  })
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

const pageOf = variants(({ filters, status }: { filters: Filter[]; status: Status | 'any' }) => {
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
