import { accountTypes } from '@bursar/contracts/account'
import { RecordStatusEntry, recordStatuses } from '@bursar/contracts/customer'
import { exampleIds } from '@bursar/contracts/examples'
import { about, byId, oneOf, type Static, t } from '@bursar/contracts/schema'
import { keysetQuery, queryInteger, queryOffset, queryUuid } from '@bursar/http'

export { Account, NewAccount } from '@bursar/contracts/account'
export { StatusChange } from '@bursar/contracts/customer'

export const ById = byId(exampleIds.account)

/** GET /accounts/:id/history. */
export const AccountHistory = t.Array(RecordStatusEntry)

const filter = (of: string) =>
  t.Optional(t.String({ description: `${of}: \`eq:value\` or \`in:value,value\` (at most 100 values)` }))

/** The filters of lists and exports. account-filter.ts parses those in brackets. */
const filters = {
  'filter[id]': filter('The id'),
  'filter[externalId]': filter('The accountExternalId'),
  'filter[address]': filter('An address of the account'),
  q: t.Optional(
    t.String({
      maxLength: 255,
      description:
        'The beginning of a word of the name, the external id, the customer’s name or external id, or of an address; ' +
        'or the whole id of the account, its customer or its wallet account. An empty value is ignored',
    }),
  ),
  status: t.Optional(about('Only accounts with this status', oneOf(recordStatuses))),
  type: t.Optional(about('Only accounts of this type', oneOf(accountTypes))),
  customerId: t.Optional(about('Only accounts of this customer', queryUuid())),
}

/** GET /accounts: all by default. */
export const AccountQuery = t.Object({
  ...filters,
  ...keysetQuery,
  limit: t.Optional(queryInteger({ minimum: 0 })),
  offset: t.Optional(queryOffset()),
})
export type AccountQuery = Static<typeof AccountQuery>

/** GET /accounts/export. */
export const ExportQuery = t.Object({ ...filters, order: keysetQuery.order })
