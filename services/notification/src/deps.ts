import type { Deps } from '@bursar/http'
import type { InTurn } from '@bursar/store'
import type { EventRow, Happening } from './events/record-events'

/** What the routes and workers of the notification service depend on. */
export interface NotificationDeps extends Deps {
  readonly recording: InTurn<Happening, EventRow>
}
