import { t } from '@bursar/contracts/schema'
import { operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../deps'
import { balanceHistory } from './balance-history'
import { balancesOfAccounts } from './balances-of-accounts'
import { AccountsQuery, BalanceHistory, HistoryQuery, ValuedBalance } from './balances-of-accounts.model'

/** Not in the specification: the present and past holdings of the accounts on a page. */
export const accountsBalanceRoutes = ({ store, rates, now }: LedgerDeps) =>
  new Elysia({ prefix: '/balances/accounts', tags: ['Balances'] })
    .get('/', ({ query }) => balancesOfAccounts({ read: store.read, rates }, query.accountIds), {
      query: AccountsQuery,
      response: { 200: response(t.Array(ValuedBalance)) },
      detail: operation('listBalancesOfAccounts', 'Get the balances of several accounts, with their value in USD', {
        description:
          'At most 50 accounts: `accountIds=a&accountIds=b`, or `accountIds=a,b`. Accounts that never held anything are ' +
          'left out.',
      }),
    })
    .get('/history', ({ query }) => balanceHistory({ store, rates, now }, query), {
      query: HistoryQuery,
      response: { 200: response(BalanceHistory) },
      detail: operation('getBalanceHistory', 'Get what several accounts held together at the end of each day, in USD', {
        description: 'At most 50 accounts. Days are in UTC; values are estimates at today’s rates.',
        422: 'The accounts have more than 100,000 changes in this time: ask for fewer days or accounts',
      }),
    })
