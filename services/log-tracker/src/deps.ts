import type { Deps } from '@bursar/http'
import type { LiveStream } from './stream/live-stream'

/** What the log tracker is made from. */
export interface TrackerDeps extends Deps {
  /** New messages for the readers that follow them. */
  readonly stream: LiveStream
}
