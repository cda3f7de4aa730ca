import { type Deps, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { fail } from '../errors'
import { keyOwner } from './participants'
import { ByKeyHash, KeyOwner } from './participants.model'

/** For the other services only (contracts/participant.ts). */
export const internalParticipantRoutes = ({ store, identity }: Deps) =>
  new Elysia({ prefix: '/internal/participants' }).get(
    '/by-key/:keyHash',
    async ({ request, params }) => {
      await requireService(identity, request)
      const owner = await keyOwner(store.read, params.keyHash)
      if (!owner?.live) throw fail('NOT_FOUND')
      const { id, omnibusAccountId, feePayerAccountId } = owner
      return { id, omnibusAccountId, feePayerAccountId }
    },
    { params: ByKeyHash, response: { 200: response(KeyOwner) }, detail: { hide: true } },
  )
