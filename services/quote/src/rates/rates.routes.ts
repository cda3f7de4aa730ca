import { createSingleFlight, currentRequestId, errorResponses, idempotent, response } from '@bursar/http'
import { createOutbound } from '@bursar/http/outbound'
import { Elysia } from 'elysia'
import type { QuoteAppDeps } from '../app'
import { createCoolDown } from '../providers/adapters/cool-down'
import { createRate, type RateDeps } from './create-rate'
import { listRates } from './list-rates'
import type { Quote, QuoteDeps } from './quote-code'
import { CurrentRate, RatePage, RateQuery, RateRequest } from './rates.model'

/** Spec 1, Endpoints, Rates. */
export function rateRoutes(deps: Pick<QuoteAppDeps, 'store' | 'relay' | 'log' | 'config' | 'credentials'>) {
  const { store } = deps
  const once = idempotent(store)
  const rating: RateDeps = { ...deps, quoting: quoting(deps) }
  return new Elysia({ prefix: '/rates', tags: ['Rates'] })
    .post(
      '/',
      ({ request, set, body }) => {
        const valuation = {
          assetCode: body.assetCode,
          requestId: currentRequestId() ?? crypto.randomUUID(),
          at: new Date(),
        }
        return once({ request, set }, 201, (store) => createRate(rating, store, valuation))
      },
      {
        body: RateRequest,
        response: { 201: response(CurrentRate) },
        detail: {
          summary: 'Find, store and announce the current USD rate of an asset',
          responses: errorResponses({
            400: 'The body is not valid, or nobody knows the asset',
            500: 'The rate could not be stored or announced; there is none',
            503: 'No provider is available for the asset, or all failed: `details` says why, by slug',
          }),
        },
      },
    )
    .get('/', ({ query }) => listRates(store, query), {
      query: RateQuery,
      response: { 200: response(RatePage) },
      detail: { summary: 'List stored rates' },
    })
}

/** How providers are asked: one for all requests, for they share what is under way and who must be left in peace. */
function quoting({ config, log }: Pick<QuoteAppDeps, 'config' | 'log'>): QuoteDeps {
  return {
    outbound: createOutbound({ allow: [...config.outboundAllow] }),
    coolDown: createCoolDown(),
    flight: createSingleFlight<Quote>(),
    maxDeviationPct: config.maxDeviationPct,
    now: () => new Date(),
    asked(assetCode, { failures, leftOut }) {
      if (Object.keys(failures).length > 0) log.warn({ assetCode, failures, leftOut }, 'some providers gave no rate')
    },
  }
}
