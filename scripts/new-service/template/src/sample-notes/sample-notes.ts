import { changedRecords, type Db, emit, eq, param, params, prepared, type Tx } from '@bursar/store'
import { type NewSampleNote, type SampleNote, SampleNoteCreated } from '../../contract/sample-notes.contract'
import { fail } from '../errors'
import { sampleNotes } from './sample-notes.table'

export type SampleNoteRow = typeof sampleNotes.$inferSelect

/** The sample notes that replicas of other services follow. */
export const sampleNoteRecords = changedRecords('sample-note', sampleNotes)

/** Stores a new sample note and its event, which is published after the commit. */
export async function createSampleNote(tx: Tx, { name }: NewSampleNote, now = new Date()): Promise<SampleNoteRow> {
  const row: SampleNoteRow = { id: Bun.randomUUIDv7(), name, status: 'received', createdAt: now }
  await insertSampleNote(tx).execute(row)
  const mark = await sampleNoteRecords.mark(tx, row.id)
  await emit(tx, SampleNoteCreated, { sampleNote: toSampleNote(row), ...mark }, now)
  return row
}

/** Files a sample note; one that is filed already stays so. Fails (404) when it does not exist. */
export async function fileSampleNote(tx: Tx, id: string): Promise<SampleNoteRow> {
  const before = await getSampleNote(tx, id)
  if (before.status === 'filed') return before
  await setStatus(tx).execute({ id, status: 'filed' })
  await sampleNoteRecords.mark(tx, id)
  return { ...before, status: 'filed' }
}

/** Fails (404) when the sample note does not exist. */
export async function getSampleNote(db: Db, id: string): Promise<SampleNoteRow> {
  const [row] = await sampleNoteById(db).execute({ id })
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** The sample note as callers see it. */
export const toSampleNote = ({ id, name, status, createdAt }: SampleNoteRow): SampleNote => ({
  id,
  name,
  status,
  createdAt: createdAt.toISOString(),
})

const insertSampleNote = prepared((db) => db.insert(sampleNotes).values(params(sampleNotes)))
const sampleNoteById = prepared((db) =>
  db
    .select()
    .from(sampleNotes)
    .where(eq(sampleNotes.id, param('id'))),
)
const setStatus = prepared((db) =>
  db
    .update(sampleNotes)
    .set({ status: param('status') })
    .where(eq(sampleNotes.id, param('id'))),
)
