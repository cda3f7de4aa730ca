import type { Deps, Wakes } from '@bursar/http'
import type { Config } from './config'
import type { Keys } from './keys/key-tree'
import type { AskHoldings } from './networks/holdings'
import type { Networks } from './networks/networks'
import type { AskFate } from './orders/fates'
import type { Richest } from './orders/richest'
import type { Sends } from './orders/sends'
import type { RestoreGuard } from './restore/open-restore-guard'
import type { AskAuthorisation } from './signing/ask-ledger'
import type { NonceGaps } from './signing/nonce-gaps'

/** The dependencies of the wallet service's app, consumers and workers. */
export interface WalletDeps extends Deps {
  readonly config: Config
  readonly keys: Keys
  readonly networks: Networks
  readonly holdings: AskHoldings
  readonly richest: Richest
  readonly sends: Sends
  readonly authorise: AskAuthorisation
  readonly fates: AskFate
  readonly nonceGaps: NonceGaps
  readonly restoreGuard: RestoreGuard
  readonly clock: () => Date
  /** Called when orders have become due. */
  readonly wakes: Wakes
}
