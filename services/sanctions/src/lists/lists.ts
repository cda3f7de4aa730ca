import {
  ListActivated,
  type ListActivation,
  type ListEntry,
  type ListFailure,
  type ListOrigin,
  type ListState,
} from '@bursar/contracts/sanctions'
import {
  count,
  type Db,
  desc,
  emit,
  eq,
  insertInto,
  lte,
  param,
  params,
  prepared,
  type Tx,
  updateBy,
} from '@bursar/store'
import { screeningKey } from '../addresses/screening-key'
import { fail } from '../errors'
import { findCurrent, findList, type ListRow } from './current-list'
import { hashOf } from './hash-filter'
import { versionOf } from './list-age'
import { listEntries, listFailures, lists } from './lists.table'

/** Creates a list as a draft without entries. */
export async function createDraft(tx: Tx, { name, source, publishedAt }: ListOrigin, now: Date): Promise<ListRow> {
  const row: Omit<ListRow, 'id'> = {
    name,
    source,
    publishedAt: new Date(publishedAt),
    checksum: null,
    entries: 0,
    names: 0,
    status: 'draft',
    createdAt: now,
    activatedAt: null,
    rescreened: 0,
    rescreenHits: 0,
  }
  return { id: await insertList(tx).execute(row), ...row }
}

/** Adds entries to a draft, unless it has more than `first` entries: then these were already added. */
export async function addEntries(tx: Tx, id: number, first: number, entries: readonly ListEntry[]): Promise<ListRow> {
  const draft = await getDraft(tx, id)
  if (draft.entries > first) return draft
  if (draft.entries < first) throw fail('LIST_INCOMPLETE', { message: `The list has ${draft.entries} entries so far` })
  for (const { entryId, asset, address, name } of entries) {
    await insertEntry(tx).execute({ listId: id, hash: hashOf(screeningKey(address)), entryId, asset, address, name })
  }
  const filled = { ...draft, entries: first + entries.length }
  await updateList(tx).execute(filled)
  return filled
}

/**
 * Makes a draft the current list and publishes an event; the previous list is retired. Errors: contracts/sanctions.ts.
 */
export async function makeCurrent(
  tx: Tx,
  id: number,
  { checksum, entries, names = 0, force = false }: ListActivation,
  now: Date,
): Promise<ListRow> {
  const draft = await getDraft(tx, id)
  const [stored] = await countEntries(tx).execute({ listId: id })
  if (stored?.entries !== entries) {
    throw fail('LIST_INCOMPLETE', { message: `The list has ${stored?.entries ?? 0} entries, not ${entries}` })
  }
  if (draft.names !== names) {
    throw fail('LIST_INCOMPLETE', { message: `The list has ${draft.names} names, not ${names}` })
  }
  const before = await findCurrent(tx)
  if (before) {
    // The current list was loaded after this draft was begun: its entries may be newer.
    if (before.id > id) throw fail('LIST_NOT_DRAFT', { message: 'Another list was activated meanwhile; start again' })
    if (!force) requireProgress(before, draft, now)
    await updateList(tx).execute({ ...before, status: 'retired' })
  }
  const current: ListRow = { ...draft, checksum, status: 'current', activatedAt: now }
  await updateList(tx).execute(current)
  const { name, publishedAt } = draft
  const event = { v: 1 as const, listId: id, name, publishedAt: publishedAt.toISOString(), at: now.toISOString() }
  await emit(tx, ListActivated, event, now)
  return current
}

/** A calendar date begins earlier elsewhere, and clocks differ. */
const mostAheadMs = 24 * 60 * 60 * 1000

/** A list that is older, has lost half of its entries, or is of a time to come is probably a wrong file. */
function requireProgress(before: ListRow, draft: ListRow, now: Date): void {
  if (draft.publishedAt < before.publishedAt) {
    const message = `The list is of ${versionOf(draft)}, the one in use of ${versionOf(before)}`
    throw fail('LIST_OUTDATED', { message })
  }
  if (draft.entries * 2 < before.entries) {
    throw fail('LIST_SHRUNK', { message: `The list has ${draft.entries} entries, the one in use ${before.entries}` })
  }
  if (draft.names * 2 < before.names) {
    throw fail('LIST_SHRUNK', { message: `The list has ${draft.names} names, the one in use ${before.names}` })
  }
  // In use, it would refuse all later ones, and never be old.
  if (draft.publishedAt.getTime() - now.getTime() > mostAheadMs) {
    const message = `The list is of ${versionOf(draft)}, and today is ${now.toISOString().slice(0, 10)}`
    throw fail('LIST_AHEAD', { message })
  }
}

/** Fails (404) for an unknown list, and (409) for one that is not a draft any more. */
export async function getDraft(db: Db, id: number): Promise<ListRow> {
  const row = await findList(db, id)
  if (!row) throw fail('LIST_NOT_FOUND')
  if (row.status !== 'draft') throw fail('LIST_NOT_DRAFT')
  return row
}

/** The list as the API returns it. */
export const toListState = (row: ListRow): ListState => ({
  id: row.id,
  name: row.name,
  source: row.source,
  publishedAt: row.publishedAt.toISOString(),
  checksum: row.checksum,
  entries: row.entries,
  names: row.names,
  status: row.status,
})

const insertList = prepared((db) => db.insert(lists).values(params(lists)), 'key')
/** Stores a list, except how far addresses were screened again with it. */
export const updateList = updateBy(lists, 'id', ['entries', 'names', 'status', 'checksum', 'activatedAt'])
const insertEntry = insertInto(listEntries)
const countEntries = prepared((db) =>
  db
    .select({ entries: count() })
    .from(listEntries)
    .where(eq(listEntries.listId, param('listId'))),
)

const kept = 100

/** Records that a list could not be loaded, and why. */
export async function recordListFailure(tx: Tx, { source, reason }: ListFailure, at: Date): Promise<void> {
  const id = await insertFailure(tx).execute({ source, reason, at })
  await deleteUpTo(tx).execute({ id: id - kept })
}

/** The last failed update; undefined when there was none. */
export async function lastListFailure(db: Db): Promise<typeof listFailures.$inferSelect | undefined> {
  const [row] = await newest(db).execute()
  return row
}

const insertFailure = prepared((db) => db.insert(listFailures).values(params(listFailures)), 'key')
const deleteUpTo = prepared((db) => db.delete(listFailures).where(lte(listFailures.id, param('id'))))
const newest = prepared((db) => db.select().from(listFailures).orderBy(desc(listFailures.id)).limit(1))
