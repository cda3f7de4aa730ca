import type { Deps } from '@bursar/http'
import type { Books } from './books/books'
import type { Reconciliation } from './books/reconciliation'
import type { Config } from './config'
import type { FourEyes } from './decisions/four-eyes'
import type { HotAddresses } from './destinations/hot-addresses'
import type { Execution } from './execution/execution'
import type { KnownNetworks } from './networks/known-networks'
import type { UsdRates } from './overview/usd-rates'
import type { Rescreening } from './rescreening/rescreening'

/** What the core ledger is made from. */
export interface LedgerDeps extends Deps {
  readonly config: Config
  /** Whether money may move. */
  readonly books: Books
  /** What wallet service and chains have, beside the ledger. */
  readonly reconciliation: Reconciliation
  /** Which networks there are, where that is asked. */
  readonly networks: KnownNetworks
  readonly now: () => Date
  /** Carries approved transactions out. */
  readonly execution: Execution
  /** What assets are worth, for the overview and for four eyes. */
  readonly rates: UsdRates
  readonly fourEyes: FourEyes
  readonly hotAddresses: HotAddresses
  /** Screens again before a signature what an older list has passed. */
  readonly rescreening: Rescreening
}
