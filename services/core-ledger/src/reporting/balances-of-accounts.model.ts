import { BalanceRecord } from '@bursar/contracts/core-ledger'
import { exampleIds } from '@bursar/contracts/examples'
import { about, nullable, type Static, t, timestamp } from '@bursar/contracts/schema'
import { queryInteger, queryUuids } from '@bursar/http'

/** The most accounts of one request: a page of a list. */
const mostAccounts = 50

const accountIds = () => about('Of these accounts', { ...queryUuids(mostAccounts), examples: [[exampleIds.account]] })

/** GET /balances/accounts. */
export const AccountsQuery = t.Object({ accountIds: accountIds() })

/** GET /balances/accounts/history. */
export const HistoryQuery = t.Object({
  accountIds: accountIds(),
  days: about('So many days up to today', queryInteger({ minimum: 1, maximum: 92, default: 30 })),
})
export type HistoryQuery = Static<typeof HistoryQuery>

/** What several accounts held together at the end of each day. */
export const BalanceHistory = t.Object(
  {
    asOf: timestamp(),
    /** Codes of the assets that have no rate now: the values leave them out. */
    unpriced: t.Array(t.String()),
    series: t.Array(
      t.Object(
        { date: t.String({ format: 'date' }), usdValue: about('At the rates of `asOf`, an estimate', t.Number()) },
        { title: 'DayBalance' },
      ),
    ),
  },
  { title: 'BalanceHistory' },
)
export type BalanceHistory = Static<typeof BalanceHistory>

export const ValuedBalance = t.Object(
  {
    ...BalanceRecord.properties,
    usdValue: about('What the total is worth at today’s rate, an estimate; null without a rate', nullable(t.Number())),
  },
  { title: 'ValuedBalance' },
)
export type ValuedBalance = Static<typeof ValuedBalance>
