import type { Account, AccountType } from '@bursar/contracts/account'
import { comparableAddress } from '@bursar/contracts/address'
import type { RecordStatus } from '@bursar/contracts/customer'
import { isUuid } from '@bursar/contracts/schema'
import { fieldColumns } from '@bursar/http'
import {
  and,
  type Db,
  defineList,
  eq,
  inArray,
  listParams,
  listSize,
  listValues,
  or,
  param,
  sql,
  startingWith,
  unindexed,
} from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { accountsAt } from '../addresses/addresses'
import { accountTexts } from '../search/account-texts'
import type { AccountFilter } from './account-filter'
import { toAccount } from './accounts'
import { accounts } from './accounts.table'

/** The filters of a list. A UUID in `q` is matched against ids, any other text against the search texts. */
interface AccountsAsked extends AccountFilter {
  q?: string
  status?: RecordStatus
  type?: AccountType
  customerId?: string
}

/** The accounts that match all filters, by age. */
export const accountList = defineList({
  id: accounts.id,
  rows: (db) => db.select().from(accounts),
  to: toAccount,
  read: ({ q = '', status, type, customerId, externalId, ...filter }: AccountsAsked) => {
    const ids = filter.id?.map((id) => id.toLowerCase())
    const address = filter.address?.map(comparableAddress)
    return {
      form: {
        ids: listSize(ids),
        externalIds: listSize(externalId),
        addresses: listSize(address),
        search: searchKind(q),
        byStatus: status !== undefined,
        byType: type !== undefined,
        byCustomer: customerId !== undefined,
      },
      values: {
        ...listValues('id', ids),
        ...listValues('external', externalId),
        ...listValues('address', address),
        ...startingWith(q),
        searchId: q.trim().toLowerCase(),
        status,
        type,
        customerId,
      },
    }
  },
  where: ({ ids, externalIds, addresses, search, byStatus, byType, byCustomer }, db) => {
    // Filters by name match few accounts: the index of another filter would give more.
    const isNamed = ids + externalIds + addresses > 0 || search !== 'none'
    const is = (column: AnyColumn, name: string) => eq(isNamed ? unindexed(column) : sql`${column}`, param(name))
    return and(
      ids > 0 ? inArray(accounts.id, listParams('id', ids)) : undefined,
      externalIds > 0 ? inArray(accounts.accountExternalId, listParams('external', externalIds)) : undefined,
      addresses > 0 ? inArray(accounts.id, accountsAt(db, listParams('address', addresses))) : undefined,
      found[search]?.(db),
      byStatus ? is(accounts.status, 'status') : undefined,
      byType ? is(accounts.type, 'type') : undefined,
      byCustomer ? is(accounts.customerId, 'customerId') : undefined,
    )
  },
})

function searchKind(q: string): 'none' | 'id' | 'text' {
  if (q.trim() === '') return 'none'
  return isUuid(q.trim()) ? 'id' : 'text'
}

const found = {
  none: () => undefined,
  id: () =>
    or(
      eq(accounts.id, param('searchId')),
      eq(accounts.customerId, param('searchId')),
      eq(accounts.walletAccountId, param('searchId')),
    ),
  text: (db: Db) => inArray(accounts.id, accountTexts.found(db)),
}

/** The columns of an export. */
export const accountColumns = {
  ...fieldColumns<Account>('id', 'name', 'type', 'status', 'accountExternalId', 'customerId', 'customerExternalId'),
  ...fieldColumns<Account>('customerName', 'walletAccountId', 'createdAt'),
}
