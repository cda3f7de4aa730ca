import type { Deps } from '@bursar/http'
import type { Config } from './config'

/** What the notification service is made from. */
export interface NotificationDeps extends Deps {
  readonly config: Config
  readonly now: () => Date
}
