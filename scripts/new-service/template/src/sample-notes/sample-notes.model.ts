import { type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { pageOf, pageQuery } from '@bursar/http'

/** Body of POST /sample-notes. */
export const NewSampleNote = t.Object({ name: text(255) }, { title: 'NewSampleNote' })
export type NewSampleNote = Static<typeof NewSampleNote>

export const SampleNote = t.Object({ id: uuid(), name: t.String(), createdAt: timestamp() }, { title: 'SampleNote' })
export type SampleNote = Static<typeof SampleNote>

export const SampleNotePage = pageOf(SampleNote)
export type SampleNotePage = Static<typeof SampleNotePage>

/** GET /sample-notes */
export const SampleNoteQuery = t.Object(
  pageQuery({ sortBy: ['createdAt'], defaultSort: 'createdAt', defaultOrder: 'desc' }),
)
export type SampleNoteQuery = Static<typeof SampleNoteQuery>

export const ById = t.Object({ id: uuid() })
