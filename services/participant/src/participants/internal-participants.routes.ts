import { Admission } from '@bursar/contracts/participant'
import { requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { ParticipantDeps } from '../deps'
import { fail } from '../errors'
import { admitParticipant } from './admit-participant'
import { getParticipantState, keyOwner, participantRecords, toRecord } from './participants'
import {
  Admitted,
  After,
  ById,
  ByKeyHash,
  KeyOwner,
  ParticipantChangesPage,
  ParticipantState,
} from './participants.model'

/** Called by other services only (contracts/participant.ts). */
export const internalParticipantRoutes = ({ store, identity, apiKeys, now }: ParticipantDeps) =>
  new Elysia({ prefix: '/internal/participants', detail: { hide: true } })
    .get(
      '/changes',
      async ({ request, query }) => {
        await requireService(identity, request)
        return await participantRecords.pageAfter(store.read, query.after, toRecord)
      },
      { query: After, response: { 200: response(ParticipantChangesPage) } },
    )
    .get(
      '/by-key/:keyHash',
      async ({ request, params }) => {
        await requireService(identity, request)
        const owner = await keyOwner(store.read, params.keyHash, now())
        if (!owner) throw fail('NOT_FOUND')
        const { id, omnibusAccountId, feePayerAccountId } = owner
        return { id, omnibusAccountId, feePayerAccountId }
      },
      { params: ByKeyHash, response: { 200: response(KeyOwner) } },
    )
    .get(
      '/:id',
      async ({ request, params }) => {
        await requireService(identity, request)
        return await getParticipantState(store.read, params.id)
      },
      { params: ById, response: { 200: response(ParticipantState) } },
    )
    .put(
      '/:id',
      async ({ request, params: { id }, body }) => {
        await requireService(identity, request)
        await store.commit((tx) => admitParticipant(tx, apiKeys, { ...body, id }, now()))
        return { id }
      },
      { params: ById, body: Admission, response: { 200: response(Admitted) } },
    )
