import { and, asc, eq, lt, lte, or, param, prepared, type Tx } from '@bursar/store'
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
    const rows = await oldestEntries(tx).execute({ listId, limit: chunk })
    const last = rows.at(-1)
    if (last) await deleteUpTo(tx).execute({ listId, hash: last.hash })
    const isMore = last !== undefined || (await deleteSomeNames(tx, listId))
    if (!isMore) await markEmptied(tx).execute({ id: listId })
    return isMore
  })

/** The same for names. */
async function deleteSomeNames(tx: Tx, listId: number): Promise<boolean> {
  const [last] = (await oldestNames(tx).execute({ listId, limit: chunk })).slice(-1)
  if (!last) return false
  await deleteWordsUpTo(tx).execute({ listId, seq: last.seq })
  await deleteNamesUpTo(tx).execute({ listId, seq: last.seq })
  return true
}

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
const oldestEntries = prepared((db) =>
  db
    .select({ hash: listEntries.hash })
    .from(listEntries)
    .where(eq(listEntries.listId, param('listId')))
    .orderBy(asc(listEntries.hash))
    .limit(param('limit')),
)
const deleteUpTo = prepared((db) =>
  db.delete(listEntries).where(and(eq(listEntries.listId, param('listId')), lte(listEntries.hash, param('hash')))),
)
const oldestNames = prepared((db) =>
  db
    .select({ seq: listedNames.seq })
    .from(listedNames)
    .where(eq(listedNames.listId, param('listId')))
    .orderBy(asc(listedNames.seq))
    .limit(param('limit')),
)
const deleteNamesUpTo = prepared((db) =>
  db.delete(listedNames).where(and(eq(listedNames.listId, param('listId')), lte(listedNames.seq, param('seq')))),
)
const deleteWordsUpTo = prepared((db) =>
  db
    .delete(listedNameWords)
    .where(and(eq(listedNameWords.listId, param('listId')), lte(listedNameWords.nameSeq, param('seq')))),
)
const markEmptied = prepared((db) =>
  db
    .update(lists)
    .set({ status: 'emptied' })
    .where(eq(lists.id, param('id'))),
)
