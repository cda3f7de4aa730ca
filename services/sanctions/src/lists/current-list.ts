import { createSingleFlight } from '@bursar/http'
import {
  and,
  asc,
  type Db,
  eq,
  gt,
  inChunks,
  nextTurn,
  type OpenStore,
  param,
  prepared,
  rowBy,
  type Store,
} from '@bursar/store'
import { createHashFilter, type HashFilter } from './hash-filter'
import { listEntries, lists } from './lists.table'

export type ListRow = typeof lists.$inferSelect

/** A list as screenings use it. */
export interface LoadedList {
  readonly row: ListRow
  readonly filter: HashFilter
}

/** The list that screenings use now. */
export interface CurrentList {
  /** As it was known last. */
  get(): LoadedList
  /** As the database says now: another instance may have activated a newer one, which is loaded first. */
  refresh(store: OpenStore): Promise<LoadedList>
}

/** Starts without a list; the first is loaded before the service takes requests. `load` is for tests. */
export function createCurrentList(load = loadList): CurrentList {
  let current: LoadedList | undefined
  let checked: number | undefined
  const once = createSingleFlight<void>()
  const known = () => {
    if (!current) throw new Error('No sanctions list is loaded')
    return current
  }
  return {
    get: known,
    async refresh(store) {
      // On one's own file nothing is read while nobody wrote; on a server others write as well.
      const version = store.versionOf(tables)
      if (version === checked) return known()
      const row = await findCurrent(store.read)
      if (row && row.id > (current?.row.id ?? 0)) {
        await once(String(row.id), async () => {
          const loaded = await load(store, row)
          // Two loads may overlap: the older list must not win.
          if (row.id > (current?.row.id ?? 0)) current = loaded
        })
      }
      checked = version
      return known()
    },
  }
}

/** Whose rows say which list is in use. */
const tables = ['lists']

/** Hashes read at a time: other requests are answered in between. */
const chunk = 10_000

/** Loads the filter of a list while requests are served. */
export async function loadList(store: Store, row: ListRow): Promise<LoadedList> {
  const filter = createHashFilter(row.entries)
  const chunks = inChunks((place) => hashesAfter(store.read).execute({ listId: row.id, ...place }), {
    size: chunk,
    start: 0,
    keyOf: ({ hash }) => hash,
  })
  for await (const rows of chunks) {
    for (const { hash } of rows) filter.add(hash)
    await nextTurn()
  }
  return { row, filter }
}

/** The list in use according to the database; undefined before the first start. */
export const findCurrent = (db: Db): Promise<ListRow | undefined> => listOfStatus(db, 'current')

const listOfStatus = rowBy(lists, 'status')
export const findList = rowBy(lists, 'id')
/** A hash shared by several entries is added once: the next chunk begins after it. */
const hashesAfter = prepared((db) =>
  db
    .select({ hash: listEntries.hash })
    .from(listEntries)
    .where(and(eq(listEntries.listId, param('listId')), gt(listEntries.hash, param('after'))))
    .orderBy(asc(listEntries.hash))
    .limit(param('limit')),
)
