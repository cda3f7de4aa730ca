import type { Deps } from '@bursar/http'
import type { FourEyes } from './approvals/four-eyes'
import type { UsdRates } from './assets/usd-rates'
import type { Config } from './config'
import type { sealedRows } from './ledger/sealed-rows'
import type { KnownNetworks } from './networks/known-networks'
import type { Books } from './reconciliation/books'
import type { Reconciliation } from './reconciliation/reconciliation'
import type { Execution } from './withdrawals/execution'
import type { HotAddresses } from './withdrawals/hot-addresses'
import type { Rescreening } from './withdrawals/rescreening'

export interface LedgerDeps extends Deps {
  readonly config: Config
  /** The follower of idempotency keys that are kept for ever: they are sealed. */
  readonly keptKeys: typeof sealedRows
  /** Whether money may move. */
  readonly books: Books
  /** The comparison with the wallet service and the chains. */
  readonly reconciliation: Reconciliation
  /** The known networks, if they are checked. */
  readonly networks: KnownNetworks
  /** Executes approved transactions. */
  readonly execution: Execution
  /** USD rates, for the overview and for four eyes. */
  readonly rates: UsdRates
  readonly fourEyes: FourEyes
  readonly hotAddresses: HotAddresses
  /** Screens payments again before they are signed, if an older list passed them. */
  readonly rescreening: Rescreening
}
