import { t } from '@bursar/contracts/schema'
import {
  type Caller,
  currentRequestId,
  idempotencyKeyOf,
  idempotent,
  operation,
  type Reply,
  response,
} from '@bursar/http'
import { Elysia } from 'elysia'
import { mask, seesKey } from '../api-keys/api-keys'
import type { ParticipantDeps } from '../deps'
import { beginChange, type Change } from './change-participant'
import { beginCreation, createParticipant, refuseInput, takeCreation } from './create-participant'
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
import { refuseCustomers } from './plan'
import { getParticipant, toParticipant } from './read-participant'

const upstream = {
  502: 'Another service gave an answer that cannot be used',
  503: 'Another service cannot be reached. A creation or change is stored and continues in the background',
  504: 'Another service did not answer in time. A creation or change is stored and continues in the background',
}
const changeFails = {
  409:
    'authConsumerId or an externalId is taken, another change of the participant is under way, or the status of a ' +
    'customer or an account is one that the participant itself may not set',
  ...upstream,
}

/** Spec 3, Endpoints, Participant service. */
export function participantRoutes(deps: ParticipantDeps) {
  const { store, identity, apiKeys, now } = deps
  // Answers contain the participant's key.
  const once = idempotent(deps, { seal: apiKeys })

  const change = async (request: Request, id: string, changes: ParticipantChanges) => {
    const isSetter = changes.authConsumerId !== undefined && changes.authConsumerId !== mask
    const caller = await identity.read(request)
    const setsStatus = deps.authorization === 'documented' || isStaff(caller)
    const participant = await changeWhole(deps, { id, changes, setsStatus, requestId: currentRequestId() })
    return isSetter ? participant : shownTo(caller, participant)
  }
  return new Elysia({ prefix: '/participants', tags: ['Participants'] })
    .post('/', ({ request, set, body }) => once({ request, set }, (reply) => create(deps, request, body, reply)), {
      body: NewParticipant,
      response: { 201: response(Participant) },
      detail: operation('createParticipant', 'Create a participant with its customers and their accounts', {
        409: 'authConsumerId or an externalId is taken, or a request with this Idempotency-Key is under way',
        ...upstream,
      }),
    })
    .get(
      '/',
      async ({ query, request }) => {
        const caller = await identity.read(request)
        return (await listParticipants(deps, query)).map((each) => shownTo(caller, each))
      },
      {
        query: ParticipantQuery,
        response: { 200: response(t.Array(Participant)) },
        detail: operation('listParticipants', 'List the participants that match all filters, oldest first', {
          ...upstream,
          503: 'The account service, which knows the addresses, cannot be reached',
        }),
      },
    )
    .get(
      '/:id',
      async ({ params, request }) =>
        shownTo(await identity.read(request), await getParticipant(store, apiKeys, params.id)),
      {
        params: ById,
        response: { 200: response(Participant) },
        detail: operation('getParticipant', 'Get a participant with its customers and their accounts'),
      },
    )
    .patch('/:id', ({ params, body, request }) => change(request, params.id, body), {
      params: ById,
      body: ParticipantChanges,
      response: { 200: response(Participant) },
      detail: operation('changeParticipant', 'Change the given fields of a participant', { ...changeFails }),
    })
    .put('/:id', ({ params, body, request }) => change(request, params.id, body), {
      params: ById,
      body: WholeParticipant,
      response: { 200: response(Participant) },
      detail: operation('replaceParticipant', 'Replace a participant', { ...changeFails }),
    })
    .delete(
      '/:id',
      async ({ params, status }) => {
        await store.commit((tx) => deleteParticipant(tx, params.id, now()))
        return status(204, undefined)
      },
      {
        params: ById,
        response: { 204: t.Void() },
        detail: operation('deleteParticipant', 'Delete a participant; its customers and accounts remain', {
          409: 'A change of the participant is under way',
        }),
      },
    )
}

/** Without customers a creation is one commit; with customers its saga runs before the answer. */
async function create(deps: ParticipantDeps, request: Request, input: NewParticipant, reply: Reply) {
  const { store, apiKeys, sagas, now } = deps
  refuseInput(input)
  let sagaId: string | null = null
  if (input.customers.length > 0) {
    const creation = { input, idempotencyKey: idempotencyKeyOf(request), requestId: currentRequestId() }
    sagaId = await store.commit((tx) => beginCreation(tx, apiKeys, creation, now()))
    await sagas.result(sagaId)
  }
  return await store.commit(async (tx) => {
    const row = sagaId === null ? await createParticipant(tx, apiKeys, input, now()) : await takeCreation(tx, sagaId)
    return await reply(tx, 201, await toParticipant(tx, apiKeys, row))
  })
}

/** The participant after the change, which a saga may make. */
async function changeWhole({ store, apiKeys, sagas, now }: ParticipantDeps, change: Change) {
  refuseCustomers(change.changes.customers ?? [])
  const sagaId = await store.commit((tx) => beginChange(tx, apiKeys, change, now()))
  if (sagaId !== null) await sagas.result(sagaId)
  return await getParticipant(store, apiKeys, change.id)
}

/** An administrator, another service, or a caller without the gateway: the others that may change it are its own. */
const isStaff = (caller: Caller | null): boolean =>
  caller === null || caller.kind === 'service' || caller.roles.includes('admin')

/** With its key in full for callers that may see it, else masked. */
const shownTo = (caller: Caller | null, participant: Participant): Participant =>
  seesKey(caller, participant.id) ? participant : { ...participant, authConsumerId: mask }
