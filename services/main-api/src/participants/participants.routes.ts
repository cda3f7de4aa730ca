import { actorOf, ChangesQuery, idempotent, internalRoutes, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { validApiKey } from './api-keys'
import { currentParticipant, forCaller } from './callers'
import { listCounterParties } from './list-participants'
import {
  changeParticipant,
  getParticipant,
  getPfiState,
  participantRecords,
  registerParticipant,
  toParticipant,
  toRecord,
} from './participants'
import {
  ByAnyId,
  CounterParties,
  CounterPartyQuery,
  KeyState,
  NewParticipant,
  Participant,
  ParticipantChanges,
  PfiChangesPage,
  PfiState,
} from './participants.model'

/** Spec 3, PFI module: registration, own detail and counter-parties. */
export function participantRoutes(deps: MainApiDeps) {
  const { store, identity, wakes, now } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/participants', tags: ['Participants'] })
    .post(
      '/',
      async ({ request, set, body }) => {
        const actor = await actorOf(identity, request)
        const registeredBy = actor?.kind === 'user' ? actor.id : null
        const answer = await once({ request, set }, (reply) =>
          store.commit(async (tx) =>
            reply(tx, 201, toParticipant(await registerParticipant(tx, body, now(), registeredBy))),
          ),
        )
        wakes.wake()
        return answer
      },
      {
        body: NewParticipant,
        response: { 201: response(Participant) },
        detail: operation('registerParticipant', 'Register a participant institution', {
          description: 'Its first user is invited by mail to `email`. The review begins with status `NOT_STARTED`.',
        }),
      },
    )
    .get(
      '/detail',
      async ({ request }) => toParticipant(await getParticipant(store.read, await currentParticipant(deps, request))),
      {
        response: { 200: response(Participant) },
        detail: operation('getOwnParticipant', 'Get the calling participant', {
          ...forCaller,
          404: 'The participant has not registered here',
        }),
      },
    )
    .put(
      '/detail',
      async ({ request, body }) => {
        const id = await currentParticipant(deps, request)
        const row = await store.commit((tx) => changeParticipant(tx, id, body, now()))
        wakes.wake()
        return toParticipant(row)
      },
      {
        body: ParticipantChanges,
        response: { 200: response(Participant) },
        detail: operation('changeOwnParticipant', 'Change the given fields of the calling participant', {
          ...forCaller,
          404: 'The participant has not registered here',
          409: 'The participant was offboarded',
        }),
      },
    )
    .get(
      '/counter-parties',
      async ({ request, query }) => {
        const callerId = await currentParticipant(deps, request)
        return { data: await listCounterParties(store.read, query.search ?? '', callerId) }
      },
      {
        query: CounterPartyQuery,
        response: { 200: response(CounterParties) },
        detail: operation(
          'listCounterParties',
          'List the approved participants other than the caller, by name',
          forCaller,
        ),
      },
    )
}

/** Called by other services only (contracts/main-api.ts): participants, and whether they have a key. */
export const internalParticipantRoutes = ({ store, identity, now }: MainApiDeps) =>
  internalRoutes(identity, '/internal')
    .get('/pfi/changes', ({ query }) => participantRecords.pageAfter(store, query.after, toRecord), {
      query: ChangesQuery,
      response: { 200: response(PfiChangesPage) },
    })
    .get('/pfi/:id', ({ params }) => getPfiState(store.read, params.id), {
      params: ByAnyId,
      response: { 200: response(PfiState) },
    })
    .get(
      '/participants/:id/key-state',
      async ({ params }) => {
        await getParticipant(store.read, params.id)
        const key = await validApiKey(store.read, params.id, now())
        return { hasKey: key !== undefined, issuedAt: key?.createdAt.toISOString() ?? null }
      },
      { params: ByAnyId, response: { 200: response(KeyState) } },
    )
