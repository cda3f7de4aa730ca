import { service } from '@bursar/http'
import type { MainApiDeps } from './deps'
import { internalSampleRoutes } from './samples/internal-samples.routes'
import { sampleRoutes } from './samples/samples.routes'

/** The main-api service: samples. */
export const createApp = (deps: MainApiDeps) =>
  service({
    ...deps,
    name: 'main-api',
    description: 'Samples.',
    shape: 'object',
    tags: { Samples: 'Samples, oldest first' },
  })
    .use(sampleRoutes(deps))
    .use(internalSampleRoutes(deps))
