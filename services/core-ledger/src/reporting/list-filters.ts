import { type Db, eq, gte, inArray, lte, or, param, type SQL, sql } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import type { TransactionFilters } from '../movements/transactions.model'
import { transactions } from '../movements/transactions.table'
import { normalNetwork } from '../networks/networks'

const { reference, txHash, sourceAddress, destinationAddress } = transactions

const hasHash = (name: string) => inArray(folded(txHash), [param(name), param(`${name}Other`)])
const hasAddress = (name: string) =>
  or(eq(folded(sourceAddress), param(name)), eq(folded(destinationAddress), param(name)))

/** A filter's condition; its parameters come from `valuesOf`. */
const conditions = {
  type: () => eq(transactions.type, param('type')),
  customerId: (db: Db) => inArray(transactions.accountId, accountsOfCustomer(db)),
  accountId: () => eq(transactions.accountId, param('accountId')),
  assetId: () => eq(transactions.assetId, param('assetId')),
  network: () => eq(transactions.network, param('network')),
  // By the time in the id, which is in the order of the list; a minute more, for the id is made a moment before or after.
  from: () => [gte(transactions.id, param('fromId')), gte(transactions.createdAt, param('from'))],
  to: () => [lte(transactions.id, param('toId')), lte(transactions.createdAt, param('to'))],
  reference: () => eq(reference, param('reference')),
  txHash: () => hasHash('txHash'),
  address: () => hasAddress('address'),
  q: () => or(eq(reference, param('q')), hasHash('qHash'), hasAddress('qAddress')),
}
export type Filter = keyof typeof conditions
const filterNames = Object.keys(conditions) as Filter[]

/** Those by which transactions are found in an index of their own (movements/index-keys.ts), the rarest first. */
export const keyFilters = ['txHash', 'reference', 'address', 'q'] as const

/** Those that no index answers, and that may pass few of many. */
const sparse: readonly Filter[] = ['type', 'assetId', 'network']

/** The filters that are given. */
export const filtersOf = (query: TransactionFilters): Filter[] =>
  filterNames.filter((name) => query[name] !== undefined)

/** True where only going through the transactions, or an account's, tells which pass. */
export const isSparse = (filters: readonly Filter[]): boolean => filters.some((name) => sparse.includes(name))

export const conditionsOf = (db: Db, filters: readonly Filter[]): (SQL | undefined)[] =>
  filters.flatMap((name): (SQL | undefined)[] | SQL | undefined => conditions[name](db))

/** The conditions that bound the ids alone. */
export const idBounds = (filters: readonly Filter[]): SQL[] => [
  ...(filters.includes('from') ? [gte(transactions.id, param('fromId'))] : []),
  ...(filters.includes('to') ? [lte(transactions.id, param('toId'))] : []),
]

export function valuesOf(query: TransactionFilters): Record<string, unknown> {
  const { type, assetId, reference, from, to, network, txHash, address, q } = query
  return {
    type,
    assetId,
    reference,
    from,
    to,
    fromId: from && idAt(from.getTime() - slackMs),
    toId: to && idAt(to.getTime() + slackMs),
    customerId: query.customerId?.toLowerCase(),
    accountId: query.accountId?.toLowerCase(),
    network: network === undefined ? undefined : normalNetwork(network),
    ...hashValues('txHash', txHash),
    address: address?.trim().toLowerCase(),
    q,
    ...hashValues('qHash', q),
    qAddress: q?.trim().toLowerCase(),
  }
}

/** A hash as it is stored: with `0x` or without. */
function hashValues(name: string, hash: string | undefined): Record<string, string | undefined> {
  if (hash === undefined) return {}
  const digits = hash.trim().toLowerCase().replace(/^0x/, '')
  return { [name]: digits, [`${name}Other`]: `0x${digits}` }
}

const slackMs = 60_000

/** Where the ids of a moment begin: a UUID of version 7 starts with its milliseconds. */
function idAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0').slice(-12)
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

type TextColumn = (typeof transactions)['network' | 'txHash' | 'sourceAddress' | 'destinationAddress']
const folded = (column: TextColumn): SQL => sql`lower(${column})`

const accountsOfCustomer = (db: Db) =>
  db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.customerId, param('customerId')))
