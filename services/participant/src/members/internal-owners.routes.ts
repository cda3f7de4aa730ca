import { customerOwnerChanges, getCustomerOwner } from '@bursar/contracts/participant'
import { t, uuid } from '@bursar/contracts/schema'
import { orNull, queryInteger, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { ParticipantDeps } from '../deps'
import { fail } from '../errors'
import { learnCustomer } from './customer-replicas'
import { ownerOf, ownerRecords, toOwner } from './members'

/** Called by other services only (contracts/participant.ts): the owners of customers. */
export const internalOwnerRoutes = ({ store, client, identity }: ParticipantDeps) =>
  new Elysia({ prefix: '/internal/customer-owners', detail: { hide: true } })
    .get(
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
    .get(
      '/:customerId',
      async ({ request, params: { customerId } }) => {
        await requireService(identity, request)
        const known = await ownerOf(store.read, customerId)
        if (known) return known
        // A customer that was just created, whose event has not arrived.
        await orNull(learnCustomer({ store, client }, customerId))
        const learnt = await ownerOf(store.read, customerId)
        if (!learnt) throw fail('NOT_FOUND')
        return learnt
      },
      {
        params: t.Object({ customerId: uuid() }),
        response: { 200: response(getCustomerOwner.answer) },
      },
    )
