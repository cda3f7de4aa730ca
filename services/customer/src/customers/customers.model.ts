import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { customerChanges, getCustomerState } from '@bursar/contracts/customer'
import { exampleIds } from '@bursar/contracts/examples'
import { byId, type Static, t, uuid } from '@bursar/contracts/schema'
import { queryInteger, queryOffset } from '@bursar/http'

export { Customer, NewCustomer, StatusChange } from '@bursar/contracts/customer'

/** A customer with its mark, and a page of changed customers, as other services see them. */
export const CustomerState = getCustomerState.answer
export const Ids = batchOf(uuid())
export const CustomerStates = batchAnswer(CustomerState)
export const CustomerChanges = customerChanges.answer

/** GET /customers: all of them unless told otherwise. */
export const CustomerQuery = t.Object({
  limit: t.Optional(queryInteger({ minimum: 0 })),
  offset: t.Optional(queryOffset()),
})
export type CustomerQuery = Static<typeof CustomerQuery>

export const ById = byId(exampleIds.customer)

export const ByExternalId = t.Object({ externalId: t.String() })

/** The last version that is known. */
export const After = t.Object({ after: queryInteger({ minimum: 0, default: 0 }) })
