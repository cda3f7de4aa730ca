import type { Deps, Seal, Wakes } from '@bursar/http'
import type { CheckedOutbound } from '@bursar/http/outbound'
import type { Config } from './config'
import type { Schedule } from './targets/schedule'
import type { TargetQueue } from './targets/targets'

/** What the routes and workers of the webhook service depend on. */
export interface WebhookDeps extends Deps {
  readonly config: Config
  readonly outbound: CheckedOutbound
  /** Encrypts the endpoints' secrets, bound to the endpoint's id. */
  readonly secrets: Seal
  readonly schedule: Schedule
  /** The queue of targets with deliveries to send. */
  readonly queue: TargetQueue
  /** Called when deliveries have become due. */
  readonly wakes: Wakes
}
