import type { Deps } from '@bursar/http'
import type { Config } from './config'

/** What the gateway service is made from. */
export interface GatewayDeps extends Deps {
  readonly config: Config
}
