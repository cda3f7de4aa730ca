import type { Static } from '@bursar/contracts/schema'
import type { SignedTransaction, TransactionToSign } from '@bursar/contracts/signing'
import type { Deps } from '@bursar/http'
import type { AssetReport } from './assets/asset-report'
import type { Config } from './config'
import type { Networks } from './networks/networks'
import type { ScanReport } from './networks/scan-report'
import type { RestoredSends } from './sends/restored-sends'
import type { WalletRecords } from './sends/wallet-records'
import type { Wakes } from './wakes'
import type { Watched } from './watching/watched'

/** What the routes and workers of the blockchain service depend on. */
export interface BlockchainDeps extends Deps {
  readonly config: Config
  readonly networks: Networks
  readonly scans: ScanReport
  readonly assets: AssetReport
  /** Lets the wallet service sign a transaction. Rejects with CallError. */
  readonly signing: (transaction: Static<typeof TransactionToSign>) => Promise<SignedTransaction>
  /** Reads the wallet service's record of an order. */
  readonly walletRecords: WalletRecords
  /** The sends from before a restore. */
  readonly restored: RestoredSends
  /** The clock of the sends. */
  readonly clock: () => Date
  /** The watched addresses of a network. */
  readonly watched: Watched
  /** Calls the workers when there is something to do for them. */
  readonly wakes: Wakes
}
