import type { Deps } from '@bursar/http'
import type { Config } from './config'
import type { Credentials } from './providers/credentials'
import type { AnswerLog } from './providers/provider-answers'

/** What the quote service is made from. */
export interface QuoteDeps extends Deps {
  readonly config: Config
  readonly credentials: Credentials
  readonly answers: AnswerLog
}
