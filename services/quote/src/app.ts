import { searchRoutes, service } from '@bursar/http'
import { assetRoutes } from './assets/assets.routes'
import { findHits } from './assets/find-hits'
import { categoryRoutes } from './categories/categories.routes'
import type { QuoteDeps } from './deps'
import { mappingRoutes } from './mappings/mappings.routes'
import { providerRoutes } from './providers/providers.routes'
import { internalRateRoutes } from './rates/internal-rates.routes'
import { rateRoutes } from './rates/rates.routes'

/** The quote service (spec 1): assets, categories, providers, their mappings and rates. */
export const createApp = (deps: QuoteDeps) =>
  service({
    ...deps,
    name: 'quote',
    description: 'Assets, asset categories, market data providers and USD rates.',
    shape: 'message',
    tags: {
      Assets: 'The assets that rates are requested for, each with its category and its providers',
      Categories: 'Groups of assets that share providers',
      Providers: 'Sources of market data',
      Mappings: 'The providers queried for an asset, or for all assets of a category',
      Rates: 'The current and stored USD rates of assets',
    },
  })
    .use(assetRoutes(deps))
    .use(categoryRoutes(deps))
    .use(providerRoutes(deps))
    .use(mappingRoutes(deps))
    .use(rateRoutes(deps))
    .use(internalRateRoutes(deps))
    .use(searchRoutes(deps, (sought) => findHits(deps.store.read, sought)))
