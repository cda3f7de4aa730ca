import { exampleInstitutionKey } from '@bursar/contracts/examples'
import { actorOf, forParticipant, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { currentParticipant } from './callers'
import { listCounterParties } from './list-participants'
import { changeParticipant, getParticipant, registerParticipant, toParticipant } from './participants'
import {
  CounterParties,
  CounterPartyQuery,
  NewParticipant,
  Participant,
  ParticipantChanges,
} from './participants.model'

const unauthorized = { 401: 'No participant is found in the request' }

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
          ...forParticipant(exampleInstitutionKey),
          ...unauthorized,
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
          ...forParticipant(exampleInstitutionKey),
          ...unauthorized,
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
        detail: operation('listCounterParties', 'List the approved participants other than the caller, by name', {
          ...forParticipant(exampleInstitutionKey),
          ...unauthorized,
        }),
      },
    )
}
