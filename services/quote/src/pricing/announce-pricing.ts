import { PricingChanged } from '@bursar/contracts/quote'
import { emit, type Tx } from '@bursar/store'

/** What of an asset's price a person has changed, and who. */
export interface PricingChange {
  /** Null where it may concern every asset. */
  assetCode: string | null
  what: 'asset' | 'mapping' | 'provider'
  userId: string | null
}

/** Announces it, in the commit that changes it: the core ledger asks somebody else to approve with that price. */
export async function announcePricing(tx: Tx, change: PricingChange, at: Date): Promise<void> {
  await emit(tx, PricingChanged, { v: 1, ...change, at: at.toISOString() }, at)
}
