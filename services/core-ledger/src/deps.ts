import type { Deps } from '@bursar/http'
import type { Books } from './books/books'
import type { Config } from './config'
import type { Execution } from './execution/execution'

/** What the core ledger is made from. */
export interface LedgerDeps extends Deps {
  readonly config: Config
  /** Whether money may move. */
  readonly books: Books
  readonly now: () => Date
  /** Carries approved transactions out. */
  readonly execution: Execution
}
