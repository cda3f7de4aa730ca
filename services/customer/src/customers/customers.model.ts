import { RecordStatusEntry, recordStatuses } from '@bursar/contracts/customer'
import { exampleIds } from '@bursar/contracts/examples'
import { about, byId, oneOf, type Static, t } from '@bursar/contracts/schema'
import { keysetQuery, queryInteger, queryOffset } from '@bursar/http'

export { Customer, NewCustomer, StatusChange } from '@bursar/contracts/customer'

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
