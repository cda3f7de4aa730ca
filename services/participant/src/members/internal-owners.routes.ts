import { customerOwnerChanges, getCustomerOwner } from '@bursar/contracts/participant'
import { t, uuid } from '@bursar/contracts/schema'
import { ChangesQuery, internalRoutes, orNull, response } from '@bursar/http'
import type { ParticipantDeps } from '../deps'
import { fail } from '../errors'
import { learnCustomer } from './customer-replicas'
import { ownerOf, ownerRecords, toOwner } from './members'

/** Called by other services only (contracts/participant.ts): the owners of customers. */
export const internalOwnerRoutes = ({ store, client, identity }: ParticipantDeps) =>
  internalRoutes(identity, '/internal/customer-owners')
    .get('/changes', ({ query }) => ownerRecords.pageAfter(store, query.after, toOwner), {
      query: ChangesQuery,
      response: { 200: response(customerOwnerChanges.answer) },
    })
    .get(
      '/:customerId',
      async ({ params: { customerId } }) => {
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
