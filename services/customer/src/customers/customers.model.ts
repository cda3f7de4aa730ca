import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { customerChanges, getCustomerState, RecordStatusEntry, recordStatuses } from '@bursar/contracts/customer'
import { exampleIds } from '@bursar/contracts/examples'
import { about, byId, oneOf, type Static, t, uuid } from '@bursar/contracts/schema'
import { keysetQuery, queryInteger, queryOffset } from '@bursar/http'

export { Customer, NewCustomer, StatusChange } from '@bursar/contracts/customer'

/** A customer with its mark, and a page of changed customers, for other services. */
export const CustomerState = getCustomerState.answer
export const Ids = batchOf(uuid())
export const CustomerStates = batchAnswer(CustomerState)
export const CustomerChanges = customerChanges.answer

/** The filters of lists and exports. */
const filters = {
  q: t.Optional(
    t.String({
      maxLength: 255,
      description: 'The beginning of a word of the external id, or the whole id. An empty value is ignored',
    }),
  ),
  status: t.Optional(about('Only customers with this status', oneOf(recordStatuses))),
}

/** GET /customers: all by default. */
export const CustomerQuery = t.Object({
  ...filters,
  ...keysetQuery,
  limit: t.Optional(queryInteger({ minimum: 0 })),
  offset: t.Optional(queryOffset()),
})
export type CustomerQuery = Static<typeof CustomerQuery>

/** GET /customers/export. */
export const ExportQuery = t.Object({ ...filters, order: keysetQuery.order })

/** GET /customers/:id/history. */
export const CustomerHistory = t.Array(RecordStatusEntry)

export const ById = byId(exampleIds.customer)

export const ByExternalId = t.Object({ externalId: t.String() })
