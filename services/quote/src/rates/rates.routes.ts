import { createSingleFlight, currentRequestId, idempotent, operation, page, response } from '@bursar/http'
import { createOutbound } from '@bursar/http/outbound'
import { Elysia } from 'elysia'
import type { QuoteDeps } from '../deps'
import { createCoolDown } from '../providers/adapters/cool-down'
import type { Quote, QuotingDeps } from '../providers/quote-code'
import { toCurrentRate } from './create-rate'
import { listRates, toRate } from './list-rates'
import { publishRate, type RateDeps } from './publish-rate'
import { rateHistory } from './rate-history'
import { ByAsset, HistoryQuery, RateHistory } from './rate-history.model'
import { CurrentRate, RatePage, RateQuery, RateRequest } from './rates.model'

/** Spec 1, Endpoints, Rates. */
export function rateRoutes(deps: QuoteDeps) {
  const { store, now } = deps
  const once = idempotent(deps)
  const rating: RateDeps = { ...deps, quoting: quoting(deps) }
  return new Elysia({ prefix: '/rates', tags: ['Rates'] })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, (reply) => {
          const valuation = { ...body, requestId: currentRequestId() ?? crypto.randomUUID(), at: now() }
          return publishRate(rating, valuation, (tx, created) => reply(tx, 201, toCurrentRate(created)))
        }),
      {
        body: RateRequest,
        response: { 201: response(CurrentRate) },
        detail: operation('createRate', 'Find, store and publish the current USD rate of an asset', {
          400: 'The body is not valid, or no provider knows the asset',
          500: 'The rate could not be stored or published, and does not exist',
          503: 'No provider is available for the asset, or all failed: `details` says why, by slug',
        }),
      },
    )
    .get(
      '/',
      async ({ query }) => {
        const { rows, total } = await listRates(store.read, query)
        return page(rows.map(toRate), query, total)
      },
      {
        query: RateQuery,
        response: { 200: response(RatePage) },
        detail: operation('listRates', 'List stored rates'),
      },
    )
    .get('/history/:assetId', ({ params, query }) => rateHistory(store.read, { ...params, ...query }, deps.now()), {
      params: ByAsset,
      query: HistoryQuery,
      response: { 200: response(RateHistory) },
      detail: operation('getRateHistory', 'Get the rates of an asset over a period, thinned out for a chart', {
        400: 'A parameter is not valid, or the times are in the wrong order',
        404: 'The asset does not exist',
      }),
    })
}

/** The state of querying providers, shared by all requests: running rounds and cool-downs. */
function quoting({ config, log, answers, now }: Pick<QuoteDeps, 'config' | 'log' | 'answers' | 'now'>): QuotingDeps {
  return {
    outbound: createOutbound({ allow: [...config.outboundAllow] }),
    coolDown: createCoolDown(),
    flight: createSingleFlight<Quote>(),
    maxDeviationPct: config.maxDeviationPct,
    now,
    asked(assetCode, quote) {
      const { failures, leftOut } = quote
      answers.note(assetCode, quote, now())
      if (Object.keys(failures).length > 0) log.warn({ assetCode, failures, leftOut }, 'some providers gave no rate')
    },
  }
}
