import type { Account, AccountType } from '@bursar/contracts/account'
import { comparableAddress } from '@bursar/contracts/address'
import type { RecordStatus } from '@bursar/contracts/customer'
import { type Db, firstAfter, inChunks, listSize, listValues, type Order, startingWith } from '@bursar/store'
import type { AccountFilter } from './account-filter'
import { accountsAfter, countOfAccounts, type ListForm, searchKind } from './account-statements'
import { toAccount } from './accounts'

/** Which accounts a list has. */
export interface AccountsAsked extends AccountFilter {
  q?: string
  status?: RecordStatus
  type?: AccountType
  customerId?: string
}

/** Which part of the list, and in which order: oldest first unless told otherwise. */
export interface AccountsPlace {
  order?: Order
  after?: string
  limit?: number
  offset?: number
}

/** The accounts that pass all the filters, as they go out, a chunk at a time. */
export function readAccounts(
  db: Db,
  asked: AccountsAsked,
  { order = 'asc', after, limit, offset }: AccountsPlace,
): AsyncGenerator<Account[]> {
  const { form, values } = parts(asked)
  const read = accountsAfter({ ...form, order })(db)
  return inChunks(async (place) => (await read.execute({ ...values, ...place })).map(toAccount), {
    size: 500,
    start: firstAfter(order, after),
    keyOf: ({ id }) => id,
    limit,
    offset,
  })
}

/** How many accounts pass all the filters, as far as they are counted (`mostCounted`). */
export async function countAccounts(db: Db, asked: AccountsAsked): Promise<number> {
  const { form, values } = parts(asked)
  const [found] = await countOfAccounts(form)(db).execute(values)
  return found?.total ?? 0
}

/** The form of a statement for these filters, and its values. */
function parts({ q = '', status, type, customerId, ...filter }: AccountsAsked) {
  const ids = filter.id?.map((id) => id.toLowerCase())
  const { externalId } = filter
  const address = filter.address?.map(comparableAddress)
  const form: ListForm = {
    ids: listSize(ids),
    externalIds: listSize(externalId),
    addresses: listSize(address),
    search: searchKind(q),
    byStatus: status !== undefined,
    byType: type !== undefined,
    byCustomer: customerId !== undefined,
  }
  const values = {
    ...listValues('id', ids),
    ...listValues('external', externalId),
    ...listValues('address', address),
    ...startingWith(q),
    searchId: q.trim().toLowerCase(),
    status,
    type,
    customerId,
  }
  return { form, values }
}
