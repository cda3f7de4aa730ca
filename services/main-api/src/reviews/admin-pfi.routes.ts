import { errorResponses, page, pageOf, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { callerId } from '../callers/callers'
import type { MainApiDeps } from '../deps'
import { listParticipants } from '../participants/list-participants'
import { toParticipant } from '../participants/participants'
import { ById, Participant, ParticipantQuery } from '../participants/participants.model'
import { getParticipantDetail, moveParticipant } from './reviews'
import { ParticipantDetail, StatusChange } from './reviews.model'

/** Spec 3, Main API, administration: the review of participant institutions. */
export function adminPfiRoutes(deps: MainApiDeps) {
  const { store, wakes, now } = deps
  return new Elysia({ prefix: '/admin/pfi', tags: ['Review'] })
    .get(
      '/',
      async ({ query }) => {
        const { rows, total } = await listParticipants(store.read, query)
        return page(rows.map(toParticipant), query, total)
      },
      {
        query: ParticipantQuery,
        response: { 200: response(pageOf(Participant)) },
        detail: { operationId: 'listPfiParticipants', summary: 'List the participant institutions, oldest first' },
      },
    )
    .get('/:id', ({ params }) => getParticipantDetail(store.read, params.id), {
      params: ById,
      response: { 200: response(ParticipantDetail) },
      detail: { operationId: 'getPfiParticipant', summary: 'Get a participant institution with its history' },
    })
    .put(
      '/:id/status',
      async ({ request, params, body }) => {
        const changedBy = await callerId(deps, request)
        const move = { ...body, participantId: params.id, changedBy }
        const detail = await store.commit(async (tx) => {
          await moveParticipant(tx, move, now())
          return await getParticipantDetail(tx, params.id)
        })
        wakes.wake()
        return detail
      },
      {
        params: ById,
        body: StatusChange,
        response: { 200: response(ParticipantDetail) },
        detail: {
          operationId: 'movePfiParticipant',
          summary: 'Move a participant institution to another status',
          description:
            'The first approval admits it at the participant service; offboarding ends its API keys. The same status ' +
            'again changes nothing but for a new comment.',
          responses: errorResponses({ 409: 'From its status the participant cannot be moved there' }),
        },
      },
    )
}
