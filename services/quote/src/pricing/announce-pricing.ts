import { PricingChanged } from '@bursar/contracts/quote'
import { emit, type Tx } from '@bursar/store'

/** A person's change of the basis of an asset's price. */
interface PricingChange {
  /** Null when it may concern every asset. */
  assetCode: string | null
  what: 'asset' | 'mapping' | 'provider'
  userId: string | null
}

/** Publishes it, in the commit of the change: the core ledger requires another person to approve at that price. */
export async function announcePricing(tx: Tx, change: PricingChange, at: Date): Promise<void> {
  await emit(tx, PricingChanged, { v: 1, ...change, at: at.toISOString() }, at)
}
