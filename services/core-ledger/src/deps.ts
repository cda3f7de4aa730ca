import type { Deps } from '@bursar/http'
import type { Config } from './config'
import type { Execution } from './execution/execution'

/** What the core ledger is made from. */
export interface LedgerDeps extends Deps {
  readonly config: Config
  readonly now: () => Date
  /** Carries approved transactions out. */
  readonly execution: Execution
}
