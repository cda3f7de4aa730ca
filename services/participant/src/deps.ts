import type { Deps } from '@bursar/http'
import type { ApiKeys } from './api-keys/api-keys'
import type { Sagas } from './saga-runs/saga-runs'

/** What the participant service is made from. */
export interface ParticipantDeps extends Deps {
  readonly apiKeys: ApiKeys
  readonly sagas: Sagas
}
