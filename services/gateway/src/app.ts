import { service } from '@bursar/http'
import type { GatewayDeps } from './deps'
import { internalSampleRoutes } from './samples/internal-samples.routes'
import { sampleRoutes } from './samples/samples.routes'

/** The gateway service: samples. */
export const createApp = (deps: GatewayDeps) =>
  service({
    ...deps,
    name: 'gateway',
    description: 'Samples.',
    shape: 'object',
    tags: { Samples: 'Samples, oldest first' },
  })
    .use(sampleRoutes(deps))
    .use(internalSampleRoutes(deps))
