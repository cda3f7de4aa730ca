import type { Deps } from '@bursar/http'
import type { ApiKeys } from './api-keys/api-keys'
import type { Sagas } from './sagas/sagas'

/** What the participant service is made from. */
export interface ParticipantDeps extends Deps {
  readonly apiKeys: ApiKeys
  readonly sagas: Sagas
  readonly now: () => Date
}
