import { about, nullable, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { queryTime } from '@bursar/http'

/** How an endpoint has done of late. */
export const EndpointFigures = t.Object(
  {
    endpointId: uuid(),
    since: about('The figures are of deliveries that were made at this time or later', timestamp()),
    deliveries: about('How many of them there are', t.Integer()),
    isPartial: about('Whether only the newest thousand are counted', t.Boolean()),
    delivered: about('How many of them were delivered', t.Integer()),
    failed: about('How many of them failed', t.Integer()),
    pending: about('How many of them are under way', t.Integer()),
    lastSuccessAt: about('When the last of them was delivered; null for never', nullable(timestamp())),
    lastAttemptAt: about('When the last attempt at one of them began; null for never', nullable(timestamp())),
    lastError: about('Why the newest one that did not succeed at once did not; null for nothing', nullable(t.String())),
    failuresInRow: about('How many attempts in a row have failed', t.Integer()),
    pausedUntil: about(
      'Nothing is sent before: it failed too often, or asked for a pause; null for no pause',
      nullable(timestamp()),
    ),
  },
  { title: 'EndpointFigures' },
)
export type EndpointFigures = Static<typeof EndpointFigures>

/** GET /webhooks/endpoints/:id/figures */
export const FiguresQuery = t.Object({
  since: t.Optional(about('Of deliveries made at this time or later; the last 24 hours unless given', queryTime())),
})
