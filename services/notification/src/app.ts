import { service } from '@bursar/http'
import type { NotificationDeps } from './deps'
import { internalSampleRoutes } from './samples/internal-samples.routes'
import { sampleRoutes } from './samples/samples.routes'

/** The notification service: samples. */
export const createApp = (deps: NotificationDeps) =>
  service({
    ...deps,
    name: 'notification',
    description: 'Samples.',
    shape: 'object',
    tags: { Samples: 'Samples, oldest first' },
  })
    .use(sampleRoutes(deps))
    .use(internalSampleRoutes(deps))
