import { type Static, t, uuid } from '@bursar/contracts/schema'
import { queryInteger } from '@bursar/http'

export { Customer, NewCustomer, StatusChange } from '@bursar/contracts/customer'

/** GET /customers: all of them unless told otherwise. */
export const CustomerQuery = t.Object({
  limit: t.Optional(queryInteger({ minimum: 0 })),
  offset: t.Optional(queryInteger({ minimum: 0 })),
})
export type CustomerQuery = Static<typeof CustomerQuery>

export const ById = t.Object({ id: uuid() })

export const ByExternalId = t.Object({ externalId: t.String() })
