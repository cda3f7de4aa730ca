import { isUuid } from '@bursar/contracts/schema'
import {
  and,
  countUpTo,
  type Db,
  eq,
  inArray,
  keyset,
  listParams,
  type Order,
  or,
  param,
  type SQL,
  sql,
  variants,
} from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { accountsAt } from '../addresses/addresses'
import { accountTexts } from '../search/account-texts'
import { accounts } from './accounts.table'

type SearchKind = 'none' | 'id' | 'text'

/** A UUID is looked for as an id, anything else as a text. */
export function searchKind(q: string): SearchKind {
  if (q.trim() === '') return 'none'
  return isUuid(q.trim()) ? 'id' : 'text'
}

/** Which filters a list has; the lists of values by their size. */
export type ListForm = {
  ids: number
  externalIds: number
  addresses: number
  search: SearchKind
  byStatus: boolean
  byType: boolean
  byCustomer: boolean
}

function passing(db: Db, { ids, externalIds, addresses, search, byStatus, byType, byCustomer }: ListForm) {
  // What names its accounts finds few: the `+` keeps the database from the index of another filter.
  const isNamed = ids + externalIds + addresses > 0 || search !== 'none'
  const is = (column: AnyColumn, name: string) => (isNamed ? sql`+${column} = ${param(name)}` : eq(column, param(name)))
  return and(
    ids > 0 ? inArray(accounts.id, listParams('id', ids)) : undefined,
    externalIds > 0 ? inArray(accounts.accountExternalId, listParams('external', externalIds)) : undefined,
    addresses > 0 ? inArray(accounts.id, accountsAt(db, listParams('address', addresses))) : undefined,
    found(db)[search],
    byStatus ? is(accounts.status, 'status') : undefined,
    byType ? is(accounts.type, 'type') : undefined,
    byCustomer ? is(accounts.customerId, 'customerId') : undefined,
  )
}

const found = (db: Db): Record<SearchKind, SQL | undefined> => ({
  none: undefined,
  id: or(
    eq(accounts.id, param('searchId')),
    eq(accounts.customerId, param('searchId')),
    eq(accounts.walletAccountId, param('searchId')),
  ),
  text: inArray(accounts.id, accountTexts.found(db)),
})

/** The accounts beyond one, in the order of age. */
export const accountsAfter = variants(({ order, ...form }: ListForm & { order: Order }) => {
  const { beyond, by } = keyset(accounts.id, order)
  return (db) =>
    db
      .select()
      .from(accounts)
      .where(and(beyond, passing(db, form)))
      .orderBy(by)
      .limit(param('limit'))
      .offset(param('offset'))
})

export const countOfAccounts = variants((form: ListForm) => (db) => countUpTo(db, accounts, passing(db, form)))
