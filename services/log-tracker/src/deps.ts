import type { Deps } from '@bursar/http'
import type { LiveStream } from './stream/live-stream'

/** What the routes and workers of the log tracker depend on. */
export interface TrackerDeps extends Deps {
  /** Passes new messages to readers. */
  readonly stream: LiveStream
}
