import { t } from '@bursar/contracts/schema'
import { actorOf, idempotent, operation, page, pageOf, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { participantList } from '../participants/list-participants'
import { toParticipant } from '../participants/participants'
import { ById, Participant, ParticipantQuery } from '../participants/participants.model'
import { getParticipantDetail, historyOf, inviteAgain, moveParticipant } from './reviews'
import { HistoryEntry, NewInvitation, ParticipantDetail, StatusChange } from './reviews.model'

/** Spec 3, Main API, administration: the review of participant institutions. */
export function adminPfiRoutes(deps: MainApiDeps) {
  const { store, identity, config, wakes, now } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/admin/pfi', tags: ['Review'] })
    .get(
      '/',
      async ({ query }) => {
        const { rows, total } = await participantList.numbered(store.read, query, query)
        return page(rows.map(toParticipant), query, total)
      },
      {
        query: ParticipantQuery,
        response: { 200: response(pageOf(Participant)) },
        detail: operation('listPfiParticipants', 'List the participant institutions, oldest first'),
      },
    )
    .get('/:id', ({ params }) => getParticipantDetail(store.read, params.id), {
      params: ById,
      response: { 200: response(ParticipantDetail) },
      detail: operation('getPfiParticipant', 'Get a participant institution with its history'),
    })
    .get('/:id/history', ({ params }) => historyOf(store.read, params.id), {
      params: ById,
      response: { 200: response(t.Array(HistoryEntry)) },
      detail: operation(
        'listPfiHistory',
        'List the changes of a participant institution’s status, and the comments on it, oldest first',
      ),
    })
    .post(
      '/:id/invitation',
      async ({ request, set, params, body }) => {
        const changedBy = await actorOf(identity, request)
        const invitation = { ...body, participantId: params.id, changedBy }
        const answer = await once({ request, set }, (reply) =>
          store.commit(async (tx) => {
            await inviteAgain(tx, invitation, config, now())
            return await reply(tx, 202, await getParticipantDetail(tx, params.id))
          }),
        )
        wakes.wake()
        return answer
      },
      {
        params: ById,
        body: NewInvitation,
        response: { 202: response(ParticipantDetail) },
        detail: operation('inviteFirstUserAgain', 'Invite the first user of a participant institution again', {
          description:
            'For an invitation that the identity manager refused, for example because the address is taken. The ' +
            'mail goes out a moment later; `invitation` of the participant has the result. With FOUR_EYES_USD, whoever ' +
            'gives another address does not approve the institution as well.',
          409: 'The invitation is under way or done, the participant was offboarded, its approver gives another address, or a request with this Idempotency-Key is under way',
        }),
      },
    )
    .put(
      '/:id/status',
      async ({ request, params, body }) => {
        const changedBy = await actorOf(identity, request)
        const move = { ...body, participantId: params.id, changedBy }
        const detail = await store.commit(async (tx) => {
          await moveParticipant(tx, move, config, now())
          return await getParticipantDetail(tx, params.id)
        })
        wakes.wake()
        return detail
      },
      {
        params: ById,
        body: StatusChange,
        response: { 200: response(ParticipantDetail) },
        detail: operation('movePfiParticipant', 'Change the status of a participant institution', {
          description:
            'The first approval admits it at the participant service; offboarding ends its API keys. The same status ' +
            'again only adds a new comment. With FOUR_EYES_USD, an institution that a user registered is approved by ' +
            'another one.',
          409: 'Its status does not allow this change, or whoever registered it approves it',
        }),
      },
    )
}
