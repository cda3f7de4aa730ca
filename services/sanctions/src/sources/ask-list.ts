import type { ScreeningSource } from '@bursar/contracts/sanctions'
import type { Db } from '@bursar/store'
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

/**
 * Looks an address up in the list in use, by its screening key. The entries of a list are deleted once another
 * is in use: a look-up is repeated when that happened meanwhile.
 */
export async function askList(
  { store, list, now }: Pick<SanctionsDeps, 'store' | 'list' | 'now'>,
  db: Db,
  key: string,
): Promise<ListVerdict> {
  for (;;) {
    const asked = await list.refresh(store)
    const entries = await lookUp(db, asked, key)
    if (asked !== (await list.refresh(store))) continue
    return { listId: asked.row.id, source: listSource(asked.row, entries, now()) }
  }
}

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
