import { requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { validApiKey } from './api-keys'
import { getPfiState, participantRecords, toRecord } from './participants'
import { After, ByAnyId, KeyState, PfiChangesPage, PfiState } from './participants.model'

/** Called by other services only (contracts/main-api.ts): participants, and whether they have a key. */
export const internalParticipantRoutes = ({ store, identity, now }: MainApiDeps) =>
  new Elysia({ prefix: '/internal', detail: { hide: true } })
    .get(
      '/pfi/changes',
      async ({ request, query }) => {
        await requireService(identity, request)
        return await participantRecords.pageAfter(store.read, query.after, toRecord)
      },
      { query: After, response: { 200: response(PfiChangesPage) } },
    )
    .get(
      '/pfi/:id',
      async ({ request, params }) => {
        await requireService(identity, request)
        return await getPfiState(store.read, params.id)
      },
      { params: ByAnyId, response: { 200: response(PfiState) } },
    )
    .get(
      '/participants/:id/key-state',
      async ({ request, params }) => {
        await requireService(identity, request)
        await getPfiState(store.read, params.id)
        const key = await validApiKey(store.read, params.id, now())
        return { hasKey: key !== undefined, issuedAt: key?.createdAt.toISOString() ?? null }
      },
      { params: ByAnyId, response: { 200: response(KeyState) } },
    )
