import { customerOwnerChanges } from '@bursar/contracts/participant'
import { t } from '@bursar/contracts/schema'
import { queryInteger, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { ParticipantDeps } from '../deps'
import { ownerRecords, toOwner } from './members'

/** For the other services only (contracts/participant.ts): whose customers are. */
export const internalOwnerRoutes = ({ store, identity }: ParticipantDeps) =>
  new Elysia({ prefix: '/internal/customer-owners', detail: { hide: true } }).get(
    '/changes',
    async ({ request, query }) => {
      await requireService(identity, request)
      return await ownerRecords.pageAfter(store.read, query.after, toOwner)
    },
    {
      query: t.Object({ after: queryInteger({ minimum: 0, default: 0 }) }),
      response: { 200: response(customerOwnerChanges.answer) },
    },
  )
