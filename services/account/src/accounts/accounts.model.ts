import { getAccountState } from '@bursar/contracts/account'
import { type Static, t, uuid } from '@bursar/contracts/schema'
import { queryInteger } from '@bursar/http'

export { Account, NewAccount } from '@bursar/contracts/account'
export { StatusChange } from '@bursar/contracts/customer'

/** An account with its version, as other services are told. */
export const AccountState = getAccountState.answer

export const ById = t.Object({ id: uuid() })

const filter = (of: string) =>
  t.Optional(t.String({ description: `${of}: \`eq:value\` or \`in:value,value\` (at most 100 values)` }))

/** GET /accounts: all of them unless told otherwise. What the filters hold is read by account-filter.ts. */
export const AccountQuery = t.Object({
  'filter[id]': filter('The id'),
  'filter[externalId]': filter('The accountExternalId'),
  'filter[address]': filter('An address of the account'),
  limit: t.Optional(queryInteger({ minimum: 0 })),
  offset: t.Optional(queryInteger({ minimum: 0 })),
})
export type AccountQuery = Static<typeof AccountQuery>
