import { page } from '@bursar/http'
import { asc, count, desc, eq, param, params, prepared, type Store } from '@bursar/store'
import { fail } from '../errors'
import type { NewSampleNote, SampleNote, SampleNotePage, SampleNoteQuery } from './sample-notes.model'
import { sampleNotes } from './sample-notes.table'

type Row = typeof sampleNotes.$inferSelect

/** Stores a new sample note. */
export const createSampleNote = (store: Store, input: NewSampleNote, now = new Date()): Promise<SampleNote> =>
  store.commit(async (tx) => {
    const row: Row = { id: Bun.randomUUIDv7(), name: input.name, createdAt: now }
    await insertSampleNote(tx).execute(row)
    return toSampleNote(row)
  })

/** Fails when there is no such sample note. */
export async function getSampleNote(store: Store, id: string): Promise<SampleNote> {
  const [row] = await sampleNoteById(store.read).execute({ id })
  if (!row) throw fail('SAMPLE_NOTE_NOT_FOUND')
  return toSampleNote(row)
}

/** A page of sample notes. */
export async function listSampleNotes(store: Store, query: SampleNoteQuery): Promise<SampleNotePage> {
  const { limit, offset, sortOrder } = query
  const rows = await pageOfSampleNotes[sortOrder](store.read).execute({ limit, offset })
  const [counted] = await countOfSampleNotes(store.read).execute()
  return page(rows.map(toSampleNote), query, counted?.total ?? 0)
}

const toSampleNote = (row: Row): SampleNote => ({ ...row, createdAt: row.createdAt.toISOString() })

const insertSampleNote = prepared((db) => db.insert(sampleNotes).values(params(sampleNotes)))
const sampleNoteById = prepared((db) =>
  db
    .select()
    .from(sampleNotes)
    .where(eq(sampleNotes.id, param('id'))),
)
const countOfSampleNotes = prepared((db) => db.select({ total: count() }).from(sampleNotes))

/** Ties are broken by id, in the direction of the sort. */
const inOrder = (direction: typeof asc) =>
  prepared((db) =>
    db
      .select()
      .from(sampleNotes)
      .orderBy(direction(sampleNotes.createdAt), direction(sampleNotes.id))
      .limit(param('limit'))
      .offset(param('offset')),
  )
const pageOfSampleNotes = { asc: inOrder(asc), desc: inOrder(desc) }
