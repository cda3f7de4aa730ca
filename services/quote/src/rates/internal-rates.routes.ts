import { getHighestRate } from '@bursar/contracts/quote'
import { t, text } from '@bursar/contracts/schema'
import { queryTime, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { QuoteDeps } from '../deps'
import { highestRate } from './highest-rate'

/** Called by other services only (contracts/quote.ts). */
export const internalRateRoutes = ({ store, identity }: QuoteDeps) =>
  new Elysia({ prefix: '/internal/rates', detail: { hide: true } }).get(
    '/highest/:assetCode',
    async ({ request, params, query }) => {
      await requireService(identity, request)
      const { rate, at } = await highestRate(store.read, params.assetCode, query.since, new Date())
      return { rate, currency: 'USD' as const, at: at.toISOString() }
    },
    {
      params: t.Object({ assetCode: text(255) }),
      query: t.Object({ since: queryTime() }),
      response: { 200: response(getHighestRate.answer) },
    },
  )
