import type { ScreeningSource } from '@bursar/contracts/sanctions'
import type { SanctionsDeps } from '../deps'
import type { ListRow } from '../lists/current-list'
import { ageDays, versionOf } from '../lists/list-age'
import { type EntryRow, lookUp } from '../lists/look-up'

/** The provider name of the local list. */
export const listProvider = 'ofac-sdn'

/**
 * Looks addresses up in the list in use, by their screening keys; gives it as a source for each key. The entries of a list are
 * deleted once another is in use: a look-up is repeated when that happened meanwhile. A commit that asks may have begun before
 * the list had them: they are not read through it.
 */
export async function askList(
  { store, list, now }: Pick<SanctionsDeps, 'store' | 'list' | 'now'>,
  addresses: readonly { key: string }[],
): Promise<{ listId: number; sources: ReadonlyMap<string, ScreeningSource> }> {
  for (;;) {
    const asked = await list.refresh(store)
    const sources = new Map<string, ScreeningSource>()
    for (const { key } of addresses) {
      if (!sources.has(key)) sources.set(key, listSource(asked.row, await lookUp(store.read, asked, key), now()))
    }
    if (asked === (await list.refresh(store))) return { listId: asked.row.id, sources }
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
