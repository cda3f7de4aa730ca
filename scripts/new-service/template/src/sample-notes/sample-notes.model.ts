import { type Static, t, uuid } from '@bursar/contracts/schema'
import { queryInteger } from '@bursar/http'
import { sampleNoteChanges } from '../../contract/sample-notes.contract'

export { NewSampleNote, SampleNote } from '../../contract/sample-notes.contract'

/** A page of changed sample notes, as other services see them. */
export const SampleNoteChanges = sampleNoteChanges.answer

/** GET /sample-notes: all of them unless limited. */
export const SampleNoteQuery = t.Object({
  limit: t.Optional(queryInteger({ minimum: 0 })),
  offset: t.Optional(queryInteger({ minimum: 0, maximum: 100_000 })),
})
export type SampleNoteQuery = Static<typeof SampleNoteQuery>

export const ById = t.Object({ id: uuid() })

/** The last version that is known. */
export const After = t.Object({ after: queryInteger({ minimum: 0, default: 0 }) })
