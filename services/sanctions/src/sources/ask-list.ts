import type { ScreeningSource } from '@bursar/contracts/sanctions'
import type { SanctionsDeps } from '../deps'
import type { ListRow } from '../lists/current-list'
import { ageDays, versionOf } from '../lists/list-age'
import { type EntryRow, lookUp } from '../lists/look-up'

/** The entries of a list for an address, and the list. */
export interface ListVerdict {
  readonly listId: number
  readonly source: ScreeningSource
}

/** The provider name of the local list. */
export const listProvider = 'ofac-sdn'

/** Looks an address up in the list in use, by its screening key. */
export async function askList(deps: Asking, key: string): Promise<ListVerdict> {
  return (await askListOf(deps, [key])).get(key) as ListVerdict
}

/**
 * The same for several, by their keys. The entries of a list are deleted once another is in use: a look-up is repeated when
 * that happened meanwhile. A commit that asks may have begun before the list had them: they are not read through it.
 */
export async function askListOf(
  { store, list, now }: Asking,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ListVerdict>> {
  for (;;) {
    const asked = await list.refresh(store)
    const found = new Map<string, EntryRow[]>()
    for (const key of new Set(keys)) found.set(key, await lookUp(store.read, asked, key))
    if (asked !== (await list.refresh(store))) continue
    const verdictOf = (entries: EntryRow[]) => ({
      listId: asked.row.id,
      source: listSource(asked.row, entries, now()),
    })
    return new Map([...found].map(([key, entries]) => [key, verdictOf(entries)]))
  }
}

type Asking = Pick<SanctionsDeps, 'store' | 'list' | 'now'>

/** The list as a source, with its entries for an address. */
export const listSource = (row: ListRow, entries: readonly EntryRow[], now: Date): ScreeningSource => ({
  provider: listProvider,
  match: entries.length > 0,
  details: {
    list: row.name,
    version: versionOf(row),
    checksum: `sha256:${row.checksum}`,
    ageDays: ageDays(row, now),
    matches: entries.map(({ entryId, asset, address, name }) => ({ entryId, asset, address, name })),
  },
})
