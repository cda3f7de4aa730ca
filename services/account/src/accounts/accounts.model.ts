import { accountChanges, accountTypes, getAccountState } from '@bursar/contracts/account'
import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { RecordStatusEntry, recordStatuses } from '@bursar/contracts/customer'
import { exampleIds } from '@bursar/contracts/examples'
import { about, byId, oneOf, type Static, t, uuid } from '@bursar/contracts/schema'
import { keysetQuery, queryInteger, queryOffset, queryUuid } from '@bursar/http'

export { Account, NewAccount } from '@bursar/contracts/account'
export { StatusChange } from '@bursar/contracts/customer'

/** An account with its mark, and a page of changed accounts, as other services see them. */
export const AccountState = getAccountState.answer
export const Ids = batchOf(uuid())
export const AccountStates = batchAnswer(AccountState)
export const AccountChanges = accountChanges.answer

export const ById = byId(exampleIds.account)

/** GET /accounts/:id/history. */
export const AccountHistory = t.Array(RecordStatusEntry)

const filter = (of: string) =>
  t.Optional(t.String({ description: `${of}: \`eq:value\` or \`in:value,value\` (at most 100 values)` }))

/** Which accounts. What the filters in brackets hold is read by account-filter.ts. */
const filters = {
  'filter[id]': filter('The id'),
  'filter[externalId]': filter('The accountExternalId'),
  'filter[address]': filter('An address of the account'),
  q: t.Optional(
    t.String({
      maxLength: 255,
      description:
        'The beginning of a word of its name, its external id, its customer’s name or external id, or of an address; ' +
        'or its id, its customer’s or its wallet account’s in full. An empty one is none',
    }),
  ),
  status: t.Optional(about('Those of this status alone', oneOf(recordStatuses))),
  type: t.Optional(about('Those of this type alone', oneOf(accountTypes))),
  customerId: t.Optional(about('Those of this customer alone', queryUuid())),
}

/** GET /accounts: all of them unless told otherwise. */
export const AccountQuery = t.Object({
  ...filters,
  ...keysetQuery,
  limit: t.Optional(queryInteger({ minimum: 0 })),
  offset: t.Optional(queryOffset()),
})
export type AccountQuery = Static<typeof AccountQuery>

/** GET /accounts/export. */
export const ExportQuery = t.Object({ ...filters, order: keysetQuery.order })

/** The last version that is known. */
export const After = t.Object({ after: queryInteger({ minimum: 0, default: 0 }) })
