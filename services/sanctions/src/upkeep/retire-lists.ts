import { and, asc, type Db, eq, inArray, lt, or, param, prepared, updateBy } from '@bursar/store'
import type { SanctionsDeps } from '../deps'
import { listEntries, lists } from '../lists/lists.table'
import { listedNames, listedNameWords } from '../names/names.table'

const dayMs = 24 * 60 * 60 * 1000
/** Entries or names deleted in one commit. */
const chunk = 1000

/**
 * Deletes the entries and names of retired lists, and of drafts abandoned for a day. Never those of the
 * list in memory or a later one: until the new list is loaded, screenings use the previous one.
 */
export async function retireLists({ store, list, now }: Pick<SanctionsDeps, 'store' | 'list' | 'now'>): Promise<void> {
  // It may have been activated elsewhere, or could not be loaded at that time.
  const { row: inUse } = await list.refresh(store)
  const draftsBefore = new Date(now().getTime() - dayMs)
  const unused = await unusedLists(store.read).execute({ inUse: inUse.id, draftsBefore })
  for (const { id } of unused) {
    let left = true
    while (left) left = await deleteSome(store, id)
  }
}

/** Deletes a chunk; the last one marks the list as empty. Returns false when nothing is left. */
const deleteSome = (store: SanctionsDeps['store'], listId: number): Promise<boolean> =>
  store.commit(async (tx) => {
    const some = { listId, limit: chunk }
    if ((await deleteEntries(tx).execute(some)) > 0) return true
    await deleteWords(tx).execute(some)
    if ((await deleteNames(tx).execute(some)) > 0) return true
    await setStatus(tx).execute({ id: listId, status: 'emptied' })
    return false
  })

const unusedLists = prepared((db) =>
  db
    .select({ id: lists.id })
    .from(lists)
    .where(
      or(
        and(eq(lists.status, 'retired'), lt(lists.id, param('inUse'))),
        and(eq(lists.status, 'draft'), lt(lists.createdAt, param('draftsBefore'))),
      ),
    ),
)
const deleteEntries = prepared(
  (db) =>
    db.delete(listEntries).where(
      inArray(
        listEntries.seq,
        db
          .select({ seq: listEntries.seq })
          .from(listEntries)
          .where(eq(listEntries.listId, param('listId')))
          .limit(param('limit')),
      ),
    ),
  'rows',
)
const oldestNames = (db: Db) =>
  db
    .select({ seq: listedNames.seq })
    .from(listedNames)
    .where(eq(listedNames.listId, param('listId')))
    .orderBy(asc(listedNames.seq))
    .limit(param('limit'))
const deleteWords = prepared((db) =>
  db
    .delete(listedNameWords)
    .where(and(eq(listedNameWords.listId, param('listId')), inArray(listedNameWords.nameSeq, oldestNames(db)))),
)
const deleteNames = prepared((db) => db.delete(listedNames).where(inArray(listedNames.seq, oldestNames(db))), 'rows')
const setStatus = updateBy(lists, 'id', ['status'])
