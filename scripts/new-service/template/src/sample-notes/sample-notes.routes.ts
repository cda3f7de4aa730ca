import { t } from '@bursar/contracts/schema'
import { idempotent, jsonArray, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { TransactionManagerDeps } from '../deps'
import { readSampleNotes } from './list-sample-notes'
import { createSampleNote, getSampleNote, toSampleNote } from './sample-notes'
import { ById, NewSampleNote, SampleNote, SampleNoteQuery } from './sample-notes.model'

/** HTTP alone: what a route takes and answers, and the domain function behind it. */
export function sampleNoteRoutes(deps: TransactionManagerDeps) {
  const { store, log } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/sample-notes', tags: ['Sample notes'] })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, (reply) =>
          store.commit(async (tx) => reply(tx, 201, toSampleNote(await createSampleNote(tx, body)))),
        ),
      {
        body: NewSampleNote,
        response: { 201: response(SampleNote) },
        detail: { summary: 'Create a sample note', operationId: 'createSampleNote' },
      },
    )
    .get('/', ({ query }) => jsonArray(readSampleNotes(store.read, query), log), {
      query: SampleNoteQuery,
      response: { 200: response(t.Array(SampleNote)) },
      detail: { summary: 'List all sample notes, oldest first', operationId: 'listSampleNotes' },
    })
    .get('/:id', async ({ params }) => toSampleNote(await getSampleNote(store.read, params.id)), {
      params: ById,
      response: { 200: response(SampleNote) },
      detail: { summary: 'Get a sample note', operationId: 'getSampleNote' },
    })
}
