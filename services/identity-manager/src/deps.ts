import type { Deps } from '@bursar/http'
import type { Config } from './config'

/** What the identity-manager service is made from. */
export interface IdentityManagerDeps extends Deps {
  readonly config: Config
}
