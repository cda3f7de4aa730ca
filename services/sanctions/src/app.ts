import { searchRoutes, service } from '@bursar/http'
import type { SanctionsDeps } from './deps'
import { jobListRoutes, jobRoutes } from './jobs/jobs.routes'
import { searchJobs } from './jobs/search'
import { internalListRoutes } from './lists/internal-lists.routes'
import { listRoutes } from './lists/lists.routes'
import { internalNameRoutes } from './names/internal-names.routes'
import { internalAddressRoutes } from './screening/internal-addresses.routes'
import { screeningRoutes } from './screening/sanctions.routes'

/** The sanctions service (spec 3, Sanctions service): addresses and transactions, screened against sanctions lists. */
export const createApp = (deps: SanctionsDeps) =>
  service({
    ...deps,
    name: 'sanctions',
    description: 'Screens addresses and transactions against sanctions lists, with the result at once or by webhook.',
    shape: 'list',
    tags: { Sanctions: 'Screenings and their results' },
  })
    .use(screeningRoutes(deps))
    .use(jobRoutes(deps))
    .use(jobListRoutes(deps))
    .use(listRoutes(deps))
    .use(searchRoutes(deps, (sought) => searchJobs(deps.store.read, sought)))
    .use(internalListRoutes(deps))
    .use(internalNameRoutes(deps))
    .use(internalAddressRoutes(deps))
