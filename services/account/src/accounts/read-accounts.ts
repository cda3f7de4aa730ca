import type { Account } from '@bursar/contracts/account'
import { comparableAddress } from '@bursar/contracts/address'
import { and, asc, gt, inArray, listParams, listSize, listValues, param, type Store, variants } from '@bursar/store'
import { accountsAt } from '../addresses/addresses'
import type { AccountFilter } from './account-filter'
import { toAccount } from './accounts'
import { accounts } from './accounts.table'

const chunkSize = 500

/** The accounts that all the filters take, oldest first, a chunk at a time. */
export async function* readAccounts(
  store: Store,
  filter: AccountFilter,
  { limit, offset = 0 }: { limit?: number; offset?: number },
): AsyncGenerator<Account[]> {
  const address = filter.address?.map(comparableAddress)
  const statement = accountsAfter(listSize(filter.id), listSize(filter.externalId), listSize(address))(store.read)
  const values = {
    ...listValues(
      'id',
      filter.id?.map((id) => id.toLowerCase()),
    ),
    ...listValues('external', filter.externalId),
    ...listValues('address', address),
  }
  let left = limit ?? Number.MAX_SAFE_INTEGER
  let after = ''
  let skip = offset
  while (left > 0) {
    const wanted = Math.min(left, chunkSize)
    const rows = await statement.execute({ ...values, after, limit: wanted, skip })
    if (rows.length > 0) yield rows.map(toAccount)
    if (rows.length < wanted) return
    left -= rows.length
    after = rows.at(-1)?.id ?? ''
    skip = 0
  }
}

const accountsAfter = variants(
  (ids: number, externalIds: number, addresses: number) => (db) =>
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
      .offset(param('skip')),
)
