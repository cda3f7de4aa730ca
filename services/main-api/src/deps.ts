import type { Deps, Seal, Wakes } from '@bursar/http'
import type { Config } from './config'

/** What the main-api service is made from. */
export interface MainApiDeps extends Deps {
  readonly config: Config
  /** Keeps API keys encrypted at rest. */
  readonly seal: Seal
  /** The time; tests hold it still. */
  readonly now: () => Date
  /** Called when there is something to hand over to another service. */
  readonly wakes: Wakes
}
