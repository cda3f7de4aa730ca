import { Operations } from '@bursar/contracts/operations'
import { about, nullable, oneOf, t, timestamp } from '@bursar/contracts/schema'
import { serviceNames } from '@bursar/contracts/services'
import { serviceStates } from './service-operations'

/** The answer of GET /console/api/health. */
export const PlatformHealth = t.Object(
  {
    at: about('When the services were queried', timestamp()),
    services: t.Array(
      t.Object({
        name: oneOf(serviceNames),
        slug: t.String(),
        status: oneOf(serviceStates),
        ms: t.Integer(),
        problem: nullable(t.String()),
        operations: nullable(Operations),
        instances: about(
          'Each instance of a service that has several',
          t.Array(
            t.Object({
              address: t.String(),
              status: oneOf(serviceStates),
              ms: t.Integer(),
              problem: nullable(t.String()),
            }),
          ),
        ),
      }),
    ),
  },
  { title: 'PlatformHealth' },
)

export const ByService = t.Object({ name: oneOf(serviceNames) })
/** An event’s UUID, a batch, or any other job id on the queue. */
export const ByLetter = t.Object({
  name: oneOf(serviceNames),
  id: t.String({ minLength: 1, maxLength: 128, format: 'single-line' }),
})
