import type { Deps } from '@bursar/http'
import type { Config } from './config'

/** What the routes and workers of the transaction-manager service depend on. */
export interface TransactionManagerDeps extends Deps {
  readonly config: Config
}
