import type { Deps } from '@bursar/http'
import type { Config } from './config'
import type { Credentials } from './providers/credentials'
import type { AnswerLog } from './providers/provider-answers'

/** What the routes and workers of the quote service depend on. */
export interface QuoteDeps extends Deps {
  readonly config: Config
  readonly credentials: Credentials
  readonly answers: AnswerLog
}
