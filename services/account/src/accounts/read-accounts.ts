import type { Account } from '@bursar/contracts/account'
import { and, asc, gt, inArray, param, type Store } from '@bursar/store'
import { accountsAt, comparable } from '../addresses/addresses'
import { places, sizeFor, valuesFor, variants } from '../lists/values'
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
  const address = filter.address?.map(comparable)
  const statement = accountsAfter(sizeFor(filter.id), sizeFor(filter.externalId), sizeFor(address))(store.read)
  const values = {
    ...valuesFor('id', filter.id),
    ...valuesFor('external', filter.externalId),
    ...valuesFor('address', address),
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
          ids > 0 ? inArray(accounts.id, places('id', ids)) : undefined,
          externalIds > 0 ? inArray(accounts.accountExternalId, places('external', externalIds)) : undefined,
          addresses > 0 ? inArray(accounts.id, accountsAt(db, places('address', addresses))) : undefined,
        ),
      )
      .orderBy(asc(accounts.id))
      .limit(param('limit'))
      .offset(param('skip')),
)
