import {
  and,
  asc,
  type Db,
  deleteBy,
  eq,
  insertInto,
  newId,
  or,
  param,
  prepared,
  rowBy,
  rowsBy,
  type Tx,
} from '@bursar/store'
import { fail } from '../errors'
import type { NewView } from './desk.model'
import { savedViews } from './desk.table'

export type ViewRow = typeof savedViews.$inferSelect

/** A person's own views of a list, and the shared ones. */
export const viewsFor = (db: Db, page: string, userId: string): Promise<ViewRow[]> =>
  shown(db).execute({ page, userId })

/** The most views of one person: all of them are shown above the list. */
const mostViews = 50

/** Fails (400) for a person with too many views. */
export async function addView(tx: Tx, ownerId: string, view: NewView, now: Date): Promise<ViewRow> {
  if ((await viewsOf(tx, ownerId)).length >= mostViews) {
    throw fail('INVALID_REQUEST', { message: `You have ${mostViews} saved views: delete one first` })
  }
  const row = { ...view, id: newId(now), ownerId, createdAt: now }
  await insertRow(tx).execute(row)
  return row
}

/** Its owner deletes it; a shared one also an administrator. Fails (404) for any other. */
export async function deleteView(tx: Tx, id: string, userId: string, isAdmin: boolean): Promise<void> {
  const row = await rowById(tx, id)
  if (!row || (row.ownerId !== userId && !(row.isShared && isAdmin))) {
    throw fail('NOT_FOUND', { message: 'You have no such saved view' })
  }
  await deleteRow(tx).execute({ id })
}

const shown = prepared((db) =>
  db
    .select()
    .from(savedViews)
    .where(
      and(
        eq(savedViews.page, param('page')),
        or(eq(savedViews.ownerId, param('userId')), eq(savedViews.isShared, true)),
      ),
    )
    .orderBy(asc(savedViews.id)),
)
const viewsOf = rowsBy(savedViews, 'ownerId', 'id')
const insertRow = insertInto(savedViews)
const rowById = rowBy(savedViews, 'id')
const deleteRow = deleteBy(savedViews, 'id')
