import { accountChanges, getAccountState } from '@bursar/contracts/account'
import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { exampleIds } from '@bursar/contracts/examples'
import { byId, type Static, t, uuid } from '@bursar/contracts/schema'
import { queryInteger, queryOffset } from '@bursar/http'

export { Account, NewAccount } from '@bursar/contracts/account'
export { StatusChange } from '@bursar/contracts/customer'

/** An account with its mark, and a page of changed accounts, as other services see them. */
export const AccountState = getAccountState.answer
export const Ids = batchOf(uuid())
export const AccountStates = batchAnswer(AccountState)
export const AccountChanges = accountChanges.answer

export const ById = byId(exampleIds.account)

const filter = (of: string) =>
  t.Optional(t.String({ description: `${of}: \`eq:value\` or \`in:value,value\` (at most 100 values)` }))

/** GET /accounts: all of them unless told otherwise. What the filters hold is read by account-filter.ts. */
export const AccountQuery = t.Object({
  'filter[id]': filter('The id'),
  'filter[externalId]': filter('The accountExternalId'),
  'filter[address]': filter('An address of the account'),
  limit: t.Optional(queryInteger({ minimum: 0 })),
  offset: t.Optional(queryOffset()),
})
export type AccountQuery = Static<typeof AccountQuery>

/** The last version that is known. */
export const After = t.Object({ after: queryInteger({ minimum: 0, default: 0 }) })
