import { type Deps, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { getCustomerByExternalId } from './customers'
import { ByExternalId, Customer } from './customers.model'

/** For the other services only (contracts/customer.ts). */
export const internalCustomerRoutes = ({ store, identity }: Deps) =>
  new Elysia({ prefix: '/internal/customers' }).get(
    '/by-external-id/:externalId',
    async ({ request, params }) => {
      await requireService(identity, request)
      return await getCustomerByExternalId(store, params.externalId)
    },
    { params: ByExternalId, response: { 200: response(Customer) }, detail: { hide: true } },
  )
