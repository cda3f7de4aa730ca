import type { AddressToScreen, ScreenedAddress, ScreeningSource } from '@bursar/contracts/sanctions'
import type { Static } from '@bursar/contracts/schema'
import { and, type Db, eq, inArray, listParams, listSize, listValues, variants } from '@bursar/store'
import { bareAddress, screeningKey } from '../addresses/screening-key'
import type { ListRow } from '../lists/current-list'
import { hashOf } from '../lists/hash-filter'
import { listEntries, lists } from '../lists/lists.table'
import type { EntryRow } from '../lists/look-up'
import { listSource } from '../sources/ask-list'
import { sandboxSource } from '../sources/source'

interface Rules {
  sandbox: boolean
  now: Date
}

/**
 * Looks addresses up in the list in use, all in one statement, without external sources. The database decides which
 * list that is: a new list counts from the commit that activates it, before its filter is loaded. Null for a missing
 * address.
 */
export async function screenLocally(
  db: Db,
  items: readonly Static<typeof AddressToScreen>[],
  { sandbox, now }: Rules,
): Promise<(Static<typeof ScreenedAddress> | null)[]> {
  const asked = items.map(({ address }) => ({ address, key: screeningKey(address) }))
  const hashes = [...new Set(asked.map(({ key }) => hashOf(key)))]
  const rows = await inUse({ hashes: listSize(hashes) })(db).execute(listValues('hash', hashes))
  const list = rows[0]?.list
  if (!list) return items.map(() => null)
  // Addresses may share a hash: the key decides.
  const entries = Map.groupBy(
    rows.flatMap(({ entry }) => entry ?? []),
    (entry) => screeningKey(entry.address),
  )
  return await Promise.all(
    asked.map(async ({ address, key }) => {
      if (key === '') return null
      const source = await evidence(list, entries.get(key) ?? [], bareAddress(address), { sandbox, now })
      return { address, listId: list.id, isListed: source !== null, source }
    }),
  )
}

async function evidence(
  list: ListRow,
  entries: readonly EntryRow[],
  address: string,
  { sandbox, now }: Rules,
): Promise<ScreeningSource | null> {
  if (entries.length > 0) return listSource(list, entries, now)
  if (!sandbox) return null
  const ruled = await sandboxSource.ask(address)
  return ruled.match ? { provider: sandboxSource.provider, ...ruled } : null
}

/** The list in use with its entries of these hashes; one row without an entry when there are none. */
export const entriesInUse =
  ({ hashes }: { hashes: number }) =>
  (db: Db) =>
    db
      .select({ list: lists, entry: listEntries })
      .from(lists)
      .leftJoin(
        listEntries,
        and(eq(listEntries.listId, lists.id), inArray(listEntries.hash, listParams('hash', hashes))),
      )
      .where(eq(lists.status, 'current'))
const inUse = variants(entriesInUse)
