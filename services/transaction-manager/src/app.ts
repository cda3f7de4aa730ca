import { service } from '@bursar/http'
import type { TransactionManagerDeps } from './deps'
import { internalSampleRoutes } from './samples/internal-samples.routes'
import { sampleRoutes } from './samples/samples.routes'

/** The transaction-manager service: samples. */
export const createApp = (deps: TransactionManagerDeps) =>
  service({
    ...deps,
    name: 'transaction-manager',
    description: 'Samples.',
    shape: 'object',
    tags: { Samples: 'Samples, oldest first' },
  })
    .use(sampleRoutes(deps))
    .use(internalSampleRoutes(deps))
