import { Admission } from '@bursar/contracts/participant'
import { ChangesQuery, internalRoutes, response } from '@bursar/http'
import type { ParticipantDeps } from '../deps'
import { fail } from '../errors'
import { admitParticipant } from './admit-participant'
import { getParticipantState, keyOwner, participantRecords, toRecord } from './participants'
import { Admitted, ById, ByKeyHash, KeyOwner, ParticipantChangesPage, ParticipantState } from './participants.model'

/** Called by other services only (contracts/participant.ts). */
export const internalParticipantRoutes = ({ store, identity, apiKeys, now }: ParticipantDeps) =>
  internalRoutes(identity, '/internal/participants')
    .get('/changes', ({ query }) => participantRecords.pageAfter(store, query.after, toRecord), {
      query: ChangesQuery,
      response: { 200: response(ParticipantChangesPage) },
    })
    .get(
      '/by-key/:keyHash',
      async ({ params }) => {
        const owner = await keyOwner(store.read, params.keyHash, now())
        if (!owner) throw fail('NOT_FOUND')
        const { id, omnibusAccountId, feePayerAccountId } = owner
        return { id, omnibusAccountId, feePayerAccountId }
      },
      { params: ByKeyHash, response: { 200: response(KeyOwner) } },
    )
    .get('/:id', ({ params }) => getParticipantState(store.read, params.id), {
      params: ById,
      response: { 200: response(ParticipantState) },
    })
    .put(
      '/:id',
      async ({ params: { id }, body }) => {
        await store.commit((tx) => admitParticipant(tx, apiKeys, { ...body, id }, now()))
        return { id }
      },
      { params: ById, body: Admission, response: { 200: response(Admitted) } },
    )
