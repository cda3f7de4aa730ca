import { operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../deps'
import { globalOverview, networkOverview, type OverviewDeps, portfolioOverview } from './overview'
import { ByNetwork, NetworkOverview, Overview, OverviewQuery, PortfolioOverview } from './overview.model'

/** Spec 2, Endpoints, Overview (gateway form). */
export function overviewRoutes({ store, rates, now }: LedgerDeps) {
  const deps: OverviewDeps = { store, rates, now }
  return new Elysia({ prefix: '/api/v1/core/overview/digital-assets', tags: ['Overview'] })
    .get('/', ({ query }) => globalOverview(deps, query), {
      query: OverviewQuery,
      response: { 200: response(Overview) },
      detail: operation('getOverview', 'Get deposits, withdrawals and transfers per day, and the holdings'),
    })
    .get('/portfolio', ({ query }) => portfolioOverview(deps, query), {
      query: OverviewQuery,
      response: { 200: response(PortfolioOverview) },
      detail: operation('getPortfolioOverview', 'Get the same for portfolio accounts, by asset and network'),
    })
    .get('/portfolio/networks/:network', ({ params, query }) => networkOverview(deps, params.network, query), {
      params: ByNetwork,
      query: OverviewQuery,
      response: { 200: response(NetworkOverview) },
      detail: operation('getNetworkOverview', 'Get the same for portfolio accounts on one network'),
    })
}
