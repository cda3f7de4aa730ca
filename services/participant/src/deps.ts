import type { Deps } from '@bursar/http'
import type { ApiKeys } from './api-keys/api-keys'
import type { Config } from './config'
import type { Sagas } from './saga-runs/saga-runs'

/** What the routes and workers of the participant service depend on. */
export interface ParticipantDeps extends Deps {
  readonly apiKeys: ApiKeys
  readonly sagas: Sagas
  readonly authorization: Config['authorization']
}
