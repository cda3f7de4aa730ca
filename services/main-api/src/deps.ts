import type { Deps, Seal } from '@bursar/http'
import type { Config } from './config'

/** What the main-api service is made from. */
export interface MainApiDeps extends Deps {
  readonly config: Config
  /** Keeps API keys encrypted at rest. */
  readonly seal: Seal
  /** Called when there is something to hand over to another service. */
  readonly wakes: Wakes
}

/** Lets what requests handovers wake what carries them out. */
export interface Wakes {
  wake(): void
  on(wake: () => void): void
}

export function createWakes(): Wakes {
  let wake = () => {}
  return {
    wake: () => wake(),
    on(next) {
      wake = next
    },
  }
}
