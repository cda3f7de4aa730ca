import { Operations } from '@bursar/contracts/operations'
import { about, nullable, oneOf, type Static, t, timestamp } from '@bursar/contracts/schema'
import { serviceNames } from '@bursar/contracts/services'

/**
 * `failing`: one of its checks fails, or its answer cannot be used. `late`: it does not answer in time. `away`: it cannot be
 * reached.
 */
const state = {
  status: oneOf(['ok', 'failing', 'late', 'away']),
  ms: about('The duration of its answer', t.Integer()),
  problem: about('The problem, in a sentence; null for none', nullable(t.String())),
}

/** The answer of GET /console/api/health. */
export const PlatformHealth = t.Object(
  {
    at: about('When the services were queried', timestamp()),
    services: t.Array(
      t.Object({
        name: oneOf(serviceNames),
        slug: t.String(),
        ...state,
        operations: about('Of one that answers; null without a usable answer', nullable(Operations)),
        instances: about(
          'Each instance of a service that has several',
          t.Array(t.Object({ address: t.String(), ...state })),
        ),
      }),
    ),
  },
  { title: 'PlatformHealth' },
)
export type PlatformHealth = Static<typeof PlatformHealth>

export const ByService = t.Object({ name: oneOf(serviceNames) })

/** An event’s UUID, a batch, or any other job id on the queue. */
export const ByLetter = t.Object({
  name: oneOf(serviceNames),
  id: t.String({ minLength: 1, maxLength: 128, format: 'single-line' }),
})
