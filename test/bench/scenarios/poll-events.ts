import { notification, timeOf } from '../notification-subjects'
import type { Scenario } from '../scenario'
import { bare } from '../subjects'

const size = 100_000
const small = 'service, of 1,000'
const pathFor = (events: number) => `/events?since=${timeOf(events, 10)}`

/** GET /events: the ten events since the last poll, and how many there are. It costs the same however many came before. */
export const pollEvents: Scenario = {
  name: 'poll-events',
  title: 'GET /events, the last 10 of 100,000',
  load: { path: pathFor(size) },
  connections: [200],
  subjects: [
    notification({ events: size }),
    bare(pathFor(size)),
    notification({ name: small, events: 1000, load: { path: pathFor(1000) } }),
  ],
  goals: [{ of: 'service', connections: 200, share: 0.9, against: small }],
}
