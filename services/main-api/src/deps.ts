import type { Deps } from '@bursar/http'
import type { Config } from './config'

/** What the main-api service is made from. */
export interface MainApiDeps extends Deps {
  readonly config: Config
}
