import { and, type Db, eq, param, prepared } from '@bursar/store'
import { screeningKey } from '../addresses/screening-key'
import type { LoadedList } from './current-list'
import { hashOf } from './hash-filter'
import { listEntries } from './lists.table'

export type EntryRow = typeof listEntries.$inferSelect

/** The entries of a list for an address, by its screening key; [] when it is not listed. */
export async function lookUp(db: Db, { row, filter }: LoadedList, key: string): Promise<EntryRow[]> {
  const hash = hashOf(key)
  if (!filter.has(hash)) return []
  const entries = await entriesByHash(db).execute({ listId: row.id, hash })
  return entries.filter(({ address }) => screeningKey(address) === key)
}

const entriesByHash = prepared((db) =>
  db
    .select()
    .from(listEntries)
    .where(and(eq(listEntries.listId, param('listId')), eq(listEntries.hash, param('hash')))),
)
