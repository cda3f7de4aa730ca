import { type Deps, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { createSampleNote, getSampleNote, listSampleNotes } from './sample-notes'
import { ById, NewSampleNote, SampleNote, SampleNotePage, SampleNoteQuery } from './sample-notes.model'

/** HTTP alone: what a route takes and answers, and which domain function does it. */
export function sampleNoteRoutes({ store }: Pick<Deps, 'store'>) {
  const once = idempotent(store)
  return new Elysia({ prefix: '/sample-notes', tags: ['Sample notes'] })
    .post('/', ({ request, set, body }) => once({ request, set }, 201, (store) => createSampleNote(store, body)), {
      body: NewSampleNote,
      response: { 201: response(SampleNote) },
      detail: { summary: 'Create a sample note' },
    })
    .get('/', ({ query }) => listSampleNotes(store, query), {
      query: SampleNoteQuery,
      response: { 200: response(SampleNotePage) },
      detail: { summary: 'List sample notes' },
    })
    .get('/:id', ({ params }) => getSampleNote(store, params.id), {
      params: ById,
      response: { 200: response(SampleNote) },
      detail: { summary: 'Get a sample note' },
    })
}
