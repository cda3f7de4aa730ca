import { ChangesQuery, internalRoutes, response } from '@bursar/http'
import type { MainApiDeps } from '../deps'
import { validApiKey } from './api-keys'
import { getPfiState, participantRecords, toRecord } from './participants'
import { ByAnyId, KeyState, PfiChangesPage, PfiState } from './participants.model'

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
        await getPfiState(store.read, params.id)
        const key = await validApiKey(store.read, params.id, now())
        return { hasKey: key !== undefined, issuedAt: key?.createdAt.toISOString() ?? null }
      },
      { params: ByAnyId, response: { 200: response(KeyState) } },
    )
