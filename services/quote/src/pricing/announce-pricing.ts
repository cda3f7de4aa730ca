import { PricingChanged } from '@bursar/contracts/quote'
import { emit, type Tx } from '@bursar/store'
import type { Author } from './author'

/**
 * Publishes that the basis of a price has changed, in the commit of the change: the core ledger requires another person to
 * approve at that price. `assetCode` is null when it may concern every asset.
 */
export async function announcePricing(
  tx: Tx,
  change: { assetCode: string | null; what: 'asset' | 'mapping' | 'provider' },
  { userId, now }: Author,
): Promise<void> {
  await emit(tx, PricingChanged, { v: 1, ...change, userId, at: now.toISOString() }, now)
}
