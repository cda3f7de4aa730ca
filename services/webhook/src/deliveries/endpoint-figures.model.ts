import { exampleIds } from '@bursar/contracts/examples'
import { about, nullable, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { queryTime, queryUuids } from '@bursar/http'

/** The recent performance of an endpoint. */
export const EndpointFigures = t.Object(
  {
    endpointId: uuid(),
    since: about('The figures cover deliveries created at this time or later', timestamp()),
    deliveries: about('The number of these deliveries', t.Integer()),
    isPartial: about('Whether only the newest thousand are counted', t.Boolean()),
    delivered: about('The number of successful ones', t.Integer()),
    failed: about('The number of failed ones', t.Integer()),
    pending: about('The number of pending ones', t.Integer()),
    lastSuccessAt: about('The time of the last success; null for none', nullable(timestamp())),
    lastAttemptAt: about('The time of the last attempt; null for none', nullable(timestamp())),
    lastError: about(
      'The error of the newest delivery that did not succeed at once; null for none',
      nullable(t.String()),
    ),
    failuresInRow: about('The number of consecutive failed attempts', t.Integer()),
    pausedUntil: about(
      'Nothing is sent before this time, after too many failures or a requested pause; null for no pause',
      nullable(timestamp()),
    ),
  },
  { title: 'EndpointFigures' },
)
export type EndpointFigures = Static<typeof EndpointFigures>

const since = t.Optional(about('Of deliveries made at this time or later; the last 24 hours unless given', queryTime()))

/** GET /webhooks/endpoints/:id/figures */
export const FiguresQuery = t.Object({ since })

/** The most endpoints of one request: a page of a list. */
const mostEndpoints = 25

/** GET /webhooks/endpoints/figures */
export const ManyFiguresQuery = t.Object({
  ids: about('Of these endpoints', { ...queryUuids(mostEndpoints), examples: [[exampleIds.endpoint]] }),
  since,
})
