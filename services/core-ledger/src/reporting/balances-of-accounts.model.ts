import { BalanceRecord } from '@bursar/contracts/core-ledger'
import { exampleIds } from '@bursar/contracts/examples'
import { about, nullable, type Static, t } from '@bursar/contracts/schema'
import { queryUuids } from '@bursar/http'

/** The most accounts of one request: a page of a list. */
const mostAccounts = 50

/** GET /balances/accounts. */
export const AccountsQuery = t.Object({
  accountIds: about('Of these accounts', { ...queryUuids(mostAccounts), examples: [[exampleIds.account]] }),
})

export const ValuedBalance = t.Object(
  {
    ...BalanceRecord.properties,
    usdValue: about('What the total is worth at today’s rate, an estimate; null without a rate', nullable(t.Number())),
  },
  { title: 'ValuedBalance' },
)
export type ValuedBalance = Static<typeof ValuedBalance>
