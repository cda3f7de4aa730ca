import { t } from '@bursar/contracts/schema'
import { operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { feeBalances } from './fee-balances'
import { FeeBalance } from './fee-balances.model'

/** Not in the specification: the balances of fee-paying addresses, for operators. */
export const feeBalanceRoutes = (deps: WalletDeps) =>
  new Elysia({ prefix: '/wallets', tags: ['Wallets'] }).get('/fees', () => feeBalances(deps), {
    response: { 200: response(t.Array(FeeBalance)) },
    detail: operation('listFeeBalances', 'List the balances of the addresses that pay network fees', {
      503: 'The blockchain service is unavailable',
    }),
  })
