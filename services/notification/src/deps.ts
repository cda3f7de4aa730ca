import type { Deps } from '@bursar/http'
import type { Config } from './config'

/** What the routes and workers of the notification service depend on. */
export interface NotificationDeps extends Deps {
  readonly config: Config
  readonly now: () => Date
}
