import type { Deps } from '@bursar/http'
import type { Config } from './config'
import type { CurrentList } from './lists/current-list'
import type { Source } from './sources/source'

/** What the routes and workers of the sanctions service depend on. */
export interface SanctionsDeps extends Deps {
  readonly config: Config
  readonly now: () => Date
  /** The list that screenings use. */
  readonly list: CurrentList
  /** The other sources queried for each address. */
  readonly sources: readonly Source[]
}
