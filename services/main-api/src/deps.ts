import type { Deps, Seal, Wakes } from '@bursar/http'
import type { Config } from './config'

/** What the routes and workers of the main-api service depend on. */
export interface MainApiDeps extends Deps {
  readonly config: Config
  /** Encrypts API keys at rest. */
  readonly seal: Seal
  /** Called when there is something to hand over to another service. */
  readonly wakes: Wakes
}
