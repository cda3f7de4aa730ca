import type { Deps, Seal } from '@bursar/http'
import type { Config } from './config'
import type { Sagas } from './saga-runs/saga-runs'

/** What the routes and workers of the participant service depend on. */
export interface ParticipantDeps extends Deps {
  /**
   * Encrypts the participants' API keys (authConsumerId; decisions, Who may call 6), each bound to the id of its participant.
   * They are looked up by their hash.
   */
  readonly apiKeys: Seal
  readonly sagas: Sagas
  readonly authorization: Config['authorization']
}
