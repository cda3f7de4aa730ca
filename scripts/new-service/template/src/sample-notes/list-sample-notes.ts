import { asc, type Db, gt, inChunks, param, prepared } from '@bursar/store'
import { toSampleNote } from './sample-notes'
import type { SampleNote, SampleNoteQuery } from './sample-notes.model'
import { sampleNotes } from './sample-notes.table'

/** The sample notes as callers see them, oldest first, a chunk at a time. */
export const readSampleNotes = (db: Db, { limit, offset }: SampleNoteQuery): AsyncGenerator<SampleNote[]> =>
  inChunks(async (place) => (await sampleNotesAfter(db).execute({ ...place })).map(toSampleNote), {
    size: 500,
    start: '',
    keyOf: ({ id }) => id,
    limit,
    offset,
  })

const sampleNotesAfter = prepared((db) =>
  db
    .select()
    .from(sampleNotes)
    .where(gt(sampleNotes.id, param('after')))
    .orderBy(asc(sampleNotes.id))
    .limit(param('limit'))
    .offset(param('offset')),
)
