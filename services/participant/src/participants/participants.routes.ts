import { t } from '@bursar/contracts/schema'
import { errorResponses, idempotencyKeyOf, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { mask, seesKey } from '../api-keys/api-keys'
import type { ParticipantDeps } from '../app'
import { changeParticipant } from './change-participant'
import { createParticipant } from './create-participant'
import { listParticipants } from './list-participants'
import { deleteParticipant } from './participants'
import {
  ById,
  NewParticipant,
  Participant,
  ParticipantChanges,
  ParticipantQuery,
  WholeParticipant,
} from './participants.model'
import { getParticipant } from './read-participant'

const upstream = {
  502: 'Another service gave an answer that cannot be used',
  503: 'Another service cannot be reached. A creation or change is kept and goes on by itself',
  504: 'Another service did not answer in time. A creation or change is kept and goes on by itself',
}
const changeFails = errorResponses({
  409: 'authConsumerId or an externalId is taken, or another change of the participant is under way',
  ...upstream,
})

/** Spec 3, Endpoints, Participant service. */
export function participantRoutes(deps: ParticipantDeps) {
  const { store, identity, apiKeys } = deps
  const once = idempotent(store)
  const visible = async (request: Request, participant: Participant, isSetter = false) => {
    const caller = await identity.read(request)
    return isSetter || seesKey(caller, participant.id) ? participant : { ...participant, authConsumerId: mask }
  }
  const change = async (request: Request, id: string, body: ParticipantChanges) => {
    const isSetter = body.authConsumerId !== undefined && body.authConsumerId !== mask
    return await visible(request, await changeParticipant(deps, id, body), isSetter)
  }
  return new Elysia({ prefix: '/participants', tags: ['Participants'] })
    .post(
      '/',
      async ({ request, set, body: input, status }) => {
        const { response } = await once({ request, set }, 201, (answers) =>
          createParticipant(deps, answers, { input, idempotencyKey: idempotencyKeyOf(request) }),
        )
        // Also a replayed answer: the key is that of the same body.
        return status(201, { ...response, authConsumerId: input.authConsumerId })
      },
      {
        body: NewParticipant,
        response: { 201: response(Participant) },
        detail: {
          summary: 'Create a participant with its customers and their accounts',
          responses: errorResponses({
            409: 'authConsumerId or an externalId is taken, or a request with this Idempotency-Key is under way',
            ...upstream,
          }),
        },
      },
    )
    .get(
      '/',
      async ({ query, request }) => {
        const caller = await identity.read(request)
        const found = await listParticipants(deps, query)
        return found.map((each) => (seesKey(caller, each.id) ? each : { ...each, authConsumerId: mask }))
      },
      {
        query: ParticipantQuery,
        response: { 200: response(t.Array(Participant)) },
        detail: {
          summary: 'List the participants that all the filters take, oldest first',
          responses: errorResponses({
            ...upstream,
            503: 'The account service cannot be reached, which knows the addresses',
          }),
        },
      },
    )
    .get(
      '/:id',
      async ({ params, request }) => visible(request, await getParticipant(store.read, apiKeys, params.id)),
      {
        params: ById,
        response: { 200: response(Participant) },
        detail: { summary: 'Get a participant with its customers and their accounts' },
      },
    )
    .patch('/:id', ({ params, body, request }) => change(request, params.id, body), {
      params: ById,
      body: ParticipantChanges,
      response: { 200: response(Participant) },
      detail: { summary: 'Change the given fields of a participant', responses: changeFails },
    })
    .put('/:id', ({ params, body, request }) => change(request, params.id, body), {
      params: ById,
      body: WholeParticipant,
      response: { 200: response(Participant) },
      detail: { summary: 'Replace a participant', responses: changeFails },
    })
    .delete(
      '/:id',
      async ({ params, status }) => {
        await deleteParticipant(store, params.id)
        return status(204, undefined)
      },
      {
        params: ById,
        response: { 204: t.Void() },
        detail: {
          summary: 'Delete a participant; its customers and accounts stay',
          responses: errorResponses({ 409: 'A change of the participant is under way' }),
        },
      },
    )
}
