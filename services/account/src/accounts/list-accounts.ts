import type { Account } from '@bursar/contracts/account'
import { comparableAddress } from '@bursar/contracts/address'
import {
  and,
  asc,
  type Db,
  gt,
  inArray,
  inChunks,
  listParams,
  listSize,
  listValues,
  param,
  variants,
} from '@bursar/store'
import { accountsAt } from '../addresses/addresses'
import type { AccountFilter } from './account-filter'
import { toAccount } from './accounts'
import { accounts } from './accounts.table'

/** The accounts that pass all the filters, as they go out, oldest first, a chunk at a time. */
export function readAccounts(
  db: Db,
  filter: AccountFilter,
  { limit, offset }: { limit?: number; offset?: number },
): AsyncGenerator<Account[]> {
  const ids = filter.id?.map((id) => id.toLowerCase())
  const { externalId } = filter
  const address = filter.address?.map(comparableAddress)
  const form = { ids: listSize(ids), externalIds: listSize(externalId), addresses: listSize(address) }
  const values = {
    ...listValues('id', ids),
    ...listValues('external', externalId),
    ...listValues('address', address),
  }
  const read = accountsAfter(form)(db)
  return inChunks(async (place) => (await read.execute({ ...values, ...place })).map(toAccount), {
    size: 500,
    start: '',
    keyOf: ({ id }) => id,
    limit,
    offset,
  })
}

const accountsAfter = variants(
  ({ ids, externalIds, addresses }: { ids: number; externalIds: number; addresses: number }) =>
    (db) =>
      db
        .select()
        .from(accounts)
        .where(
          and(
            gt(accounts.id, param('after')),
            ids > 0 ? inArray(accounts.id, listParams('id', ids)) : undefined,
            externalIds > 0 ? inArray(accounts.accountExternalId, listParams('external', externalIds)) : undefined,
            addresses > 0 ? inArray(accounts.id, accountsAt(db, listParams('address', addresses))) : undefined,
          ),
        )
        .orderBy(asc(accounts.id))
        .limit(param('limit'))
        .offset(param('offset')),
)
