import type { Deps } from '@bursar/http'
import type { Config } from './config'

/** What the transaction-manager service is made from. */
export interface TransactionManagerDeps extends Deps {
  readonly config: Config
}
