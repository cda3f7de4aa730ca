import {
  Admission,
  admitParticipant as admitCall,
  getParticipantByKeyHash,
  getParticipantState,
  participantChanges,
} from '@bursar/contracts/participant'
import { t } from '@bursar/contracts/schema'
import { ChangesQuery, internalRoutes, response } from '@bursar/http'
import type { ParticipantDeps } from '../deps'
import { fail } from '../errors'
import { admitParticipant } from './admit-participant'
import { keyOwner, participantRecords, participantState, toRecord } from './participants'
import { ById } from './participants.model'

/** Called by other services only (contracts/participant.ts). */
export const internalParticipantRoutes = ({ store, identity, apiKeys, now }: ParticipantDeps) =>
  internalRoutes(identity, '/internal/participants')
    .get('/changes', ({ query }) => participantRecords.pageAfter(store, query.after, toRecord), {
      query: ChangesQuery,
      response: { 200: response(participantChanges.answer) },
    })
    .get(
      '/by-key/:keyHash',
      async ({ params }) => {
        const owner = await keyOwner(store.read, params.keyHash, now())
        if (!owner) throw fail('NOT_FOUND')
        const { id, omnibusAccountId, feePayerAccountId } = owner
        return { id, omnibusAccountId, feePayerAccountId }
      },
      { params: t.Object({ keyHash: t.String() }), response: { 200: response(getParticipantByKeyHash.answer) } },
    )
    .get('/:id', ({ params }) => participantState(store.read, params.id), {
      params: ById,
      response: { 200: response(getParticipantState.answer) },
    })
    .put(
      '/:id',
      async ({ params: { id }, body }) => {
        await store.commit((tx) => admitParticipant(tx, apiKeys, { ...body, id }, now()))
        return { id }
      },
      { params: ById, body: Admission, response: { 200: response(admitCall.answer) } },
    )
