import {
  type Asked,
  and,
  type Db,
  eq,
  exists,
  type Form,
  gte,
  inArray,
  lte,
  or,
  param,
  type SQL,
  sql,
} from '@bursar/store'
import { accounts, customerOwners } from '../accounts/accounts.table'
import type { TransactionFilters as ListedFilters } from '../movements/transactions.model'
import { transactions } from '../movements/transactions.table'
import { normalNetwork } from '../networks/networks'

/**
 * The filters of transaction lists. Of a participant: transactions of its accounts, and those paid to them. Of a type of
 * account: those of such accounts.
 */
export type TransactionFilters = ListedFilters & {
  participantId?: string | undefined
  accountType?: string | undefined
}

const { reference, txHash, sourceAddress, destinationAddress } = transactions

const hasHash = (name: string) => inArray(folded(txHash), [param(name), param(`${name}Other`)])
const hasAddress = (name: string) =>
  or(eq(folded(sourceAddress), param(name)), eq(folded(destinationAddress), param(name)))

/** A filter's condition; its parameters come from `valuesOf`. */
const conditions = {
  type: () => eq(transactions.type, param('type')),
  customerId: (db: Db) => inArray(transactions.accountId, accountsOf(db, ['customerId'])),
  accountType: (db: Db) => exists(accountsOf(db, ['accountType'], eq(accounts.id, transactions.accountId))),
  accountId: () => eq(transactions.accountId, param('accountId')),
  assetId: () => eq(transactions.assetId, param('assetId')),
  network: () => eq(transactions.network, param('network')),
  from: () => gte(transactions.createdAt, param('from')),
  to: () => lte(transactions.createdAt, param('to')),
  reference: () => eq(reference, param('reference')),
  txHash: () => hasHash('txHash'),
  address: () => hasAddress('address'),
  q: () => or(eq(reference, param('q')), hasHash('qHash'), hasAddress('qAddress')),
  participantId: (db: Db) => isOfParticipant(db),
}
export type Filter = keyof typeof conditions
const filterNames = Object.keys(conditions) as Filter[]

/** The filters that have an index of keys (movements/index-keys.ts), the most selective first. */
export const keyFilters = ['txHash', 'reference', 'address', 'q'] as const

/** The filters without an index, which may match few of many. */
const sparse: readonly Filter[] = ['type', 'assetId', 'network', 'customerId', 'accountType', 'participantId']

export const filtersOf = (query: TransactionFilters): Filter[] =>
  filterNames.filter((name) => query[name] !== undefined)

/** True if transactions, or those of an account, must be scanned. */
export const isSparse = (filters: readonly Filter[]): boolean => filters.some((name) => sparse.includes(name))

export const conditionsOf = (db: Db, filters: readonly Filter[]): (SQL | undefined)[] =>
  filters.map((name) => conditions[name](db))

/**
 * The time range in ids, extended by a minute at both ends: an id may be made slightly before or after its row's time.
 */
export function valuesOf(query: TransactionFilters): Pick<Asked<Form>, 'values' | 'time'> {
  const { type, assetId, reference, from, to, network, txHash, address, q, participantId } = query
  return {
    time: { from: from && new Date(from.getTime() - slackMs), to: to && new Date(to.getTime() + slackMs) },
    values: {
      type,
      assetId,
      reference,
      from,
      to,
      customerId: query.customerId?.toLowerCase(),
      accountId: query.accountId?.toLowerCase(),
      accountType: query.accountType,
      network: network === undefined ? undefined : normalNetwork(network),
      ...hashValues('txHash', txHash),
      address: address?.trim().toLowerCase(),
      q,
      ...hashValues('qHash', q),
      qAddress: q?.trim().toLowerCase(),
      participantId,
    },
  }
}

/** The stored forms of a hash: with `0x` or without. */
function hashValues(name: string, hash: string | undefined): Record<string, string | undefined> {
  if (hash === undefined) return {}
  const digits = hash.trim().toLowerCase().replace(/^0x/, '')
  return { [name]: digits, [`${name}Other`]: `0x${digits}` }
}

const slackMs = 60_000

type TextColumn = (typeof transactions)['network' | 'txHash' | 'sourceAddress' | 'destinationAddress']
const folded = (column: TextColumn): SQL => sql`lower(${column})`

/** The columns of accounts that filters are about. */
const accountColumns = { customerId: accounts.customerId, accountType: accounts.type }
export type AccountFilter = keyof typeof accountColumns
export const accountFilters = Object.keys(accountColumns) as AccountFilter[]

export const accountsOf = (db: Db, filters: readonly AccountFilter[], which?: SQL) =>
  db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(which, ...filters.map((name) => eq(accountColumns[name], param(name)))))

/** SQL: the transaction's account, or its receiver, belongs to the participant. */
export const isOfParticipant = (db: Db): SQL =>
  exists(
    db
      .select({ id: accounts.id })
      .from(accounts)
      .leftJoin(customerOwners, eq(customerOwners.id, accounts.customerId))
      .where(
        and(
          or(eq(accounts.id, transactions.accountId), eq(accounts.id, transactions.toAccountId)),
          eq(sql`coalesce(${accounts.participantId}, ${customerOwners.participantId})`, param('participantId')),
        ),
      ),
  )
