import { readCall, writeCall } from '@bursar/contracts/call'
import { event } from '@bursar/contracts/event'
import { changeMark, changesCall } from '@bursar/contracts/replica'
import { about, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'

/** Body of POST /sample-notes. */
export const NewSampleNote = t.Object({ name: text(255) }, { title: 'NewSampleNote', examples: [{ name: 'First' }] })
export type NewSampleNote = Static<typeof NewSampleNote>

/** `received`: it is stored. `filed`: what follows its creation is done. */
export const sampleNoteStatuses = ['received', 'filed'] as const

export const SampleNote = t.Object(
  {
    id: uuid(),
    name: t.String(),
    status: about('received: it is stored. filed: what follows is done', oneOf(sampleNoteStatuses)),
    createdAt: timestamp(),
  },
  { title: 'SampleNote' },
)
export type SampleNote = Static<typeof SampleNote>

/** A sample note with the mark of its state. */
const SampleNoteState = t.Object({ sampleNote: SampleNote, ...changeMark })
export type SampleNoteState = Static<typeof SampleNoteState>

export const SampleNoteCreated = event('transaction-manager.sample-note.created', SampleNoteState, {
  consumers: ['transaction-manager'],
})

export const createSampleNote = writeCall('transaction-manager', 'POST', '/v1/sample-notes', NewSampleNote, SampleNote)
export const getSampleNote = readCall('transaction-manager', 'GET', '/v1/sample-notes/:id', SampleNote)
/** For other services only: the sample notes that changed. */
export const sampleNoteChanges = changesCall('transaction-manager', '/internal/sample-notes/changes', SampleNote)
