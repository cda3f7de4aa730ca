import type { Deps } from '@bursar/http'
import type { Config } from './config'
import type { CurrentList } from './lists/current-list'
import type { Source } from './sources/source'

/** What the sanctions service is made from. */
export interface SanctionsDeps extends Deps {
  readonly config: Config
  readonly now: () => Date
  /** The list that screenings use. */
  readonly list: CurrentList
  /** What else is asked of each address. */
  readonly sources: readonly Source[]
}
