import { getHighestRate } from '@bursar/contracts/quote'
import { t, text } from '@bursar/contracts/schema'
import { internalRoutes, queryTime, response } from '@bursar/http'
import type { QuoteDeps } from '../deps'
import { highestRate } from './highest-rate'

/** Called by other services only (contracts/quote.ts). */
export const internalRateRoutes = ({ store, identity, now }: QuoteDeps) =>
  internalRoutes(identity, '/internal/rates').get(
    '/highest/:assetCode',
    async ({ params, query }) => {
      const { rate, at } = await highestRate(store.read, params.assetCode, query.since, now())
      return { rate, currency: 'USD' as const, at: at.toISOString() }
    },
    {
      params: t.Object({ assetCode: text(255) }),
      query: t.Object({ since: queryTime() }),
      response: { 200: response(getHighestRate.answer) },
    },
  )
