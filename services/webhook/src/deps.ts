import type { Deps, Seal, Wakes } from '@bursar/http'
import type { CheckedOutbound } from '@bursar/http/outbound'
import type { Config } from './config'
import type { Schedule } from './targets/schedule'
import type { TargetQueue } from './targets/targets'

/** What the webhook service is made from. */
export interface WebhookDeps extends Deps {
  readonly config: Config
  readonly now: () => Date
  readonly outbound: CheckedOutbound
  /** Keeps the endpoints' secrets; the owner is the endpoint's id. */
  readonly secrets: Seal
  readonly schedule: Schedule
  /** The targets with something to send. */
  readonly queue: TargetQueue
  /** Called when deliveries have become due. */
  readonly wakes: Wakes
}
