import { t } from '@bursar/contracts/schema'
import { operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../deps'
import { balancesOfAccounts } from './balances-of-accounts'
import { AccountsQuery, ValuedBalance } from './balances-of-accounts.model'

/** Not in the specification: what the accounts on a page hold. */
export const accountsBalanceRoutes = ({ store, rates }: LedgerDeps) =>
  new Elysia({ tags: ['Balances'] }).get(
    '/balances/accounts',
    ({ query }) => balancesOfAccounts({ read: store.read, rates }, query.accountIds),
    {
      query: AccountsQuery,
      response: { 200: response(t.Array(ValuedBalance)) },
      detail: operation('listBalancesOfAccounts', 'Get the balances of several accounts, with their value in USD', {
        description:
          'At most 50 accounts: `accountIds=a&accountIds=b`, or `accountIds=a,b`. Accounts that never held anything are ' +
          'left out.',
      }),
    },
  )
