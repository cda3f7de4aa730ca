import { t } from '@bursar/contracts/schema'
import { errorResponses, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { feeBalances } from './fee-balances'
import { FeeBalance } from './fee-balances.model'

/** Not in the specification: the balances of fee-paying addresses, for operators. */
export const feeBalanceRoutes = (deps: WalletDeps) =>
  new Elysia({ prefix: '/wallets', tags: ['Wallets'] }).get('/fees', () => feeBalances(deps), {
    response: { 200: response(t.Array(FeeBalance)) },
    detail: {
      operationId: 'listFeeBalances',
      summary: 'List the balances of the addresses that pay network fees',
      responses: errorResponses({ 503: 'The blockchain service is unavailable' }),
    },
  })
