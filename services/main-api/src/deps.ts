import type { Deps, Seal, Wakes } from '@bursar/http'
import type { Config } from './config'

/** What the routes and workers of the main-api service depend on. */
export interface MainApiDeps extends Deps {
  readonly config: Config
  /** Encrypts API keys at rest. */
  readonly seal: Seal
  /** The clock; tests pass a fixed one. */
  readonly now: () => Date
  /** Called when a handover is requested. */
  readonly wakes: Wakes
}
