import { type Deps, service } from '@bursar/http'
import { logMessageRoutes } from './log-messages/log-messages.routes'
import type { LiveStream } from './stream/live-stream'
import { streamRoutes } from './stream/stream.routes'

/** Longest first; the specification puts `/tracker` before the version, the version before everything (spec 3, Versioning). */
const prefixes = ['/tracker/v1', '/v1/tracker', '/tracker', '/v1']

/** What the tracker is made from: it calls nobody, and nobody has to prove anything to it. */
export type TrackerDeps = Omit<Deps, 'identity' | 'client'>

/** The log tracker (spec 3): stores and serves the activity log of all services. */
export const createApp = (deps: TrackerDeps, stream: LiveStream) =>
  service({
    ...deps,
    name: 'log-tracker',
    description: 'The activity log of all services: what happened, where, and whether it went well.',
    shape: 'object',
    tags: { 'Log messages': 'What the services did, as they told it' },
    prefixes,
  })
    .use(logMessageRoutes(deps))
    .use(streamRoutes(deps, stream))
