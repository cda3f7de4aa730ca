import { comparableCode } from '@bursar/contracts/asset-code'
import type { Store } from '@bursar/store'
import { assetByCode } from '../assets/assets'
import type { Config } from '../config'
import { fail } from '../errors'
import type { Credentials } from '../providers/credentials'
import { type QuotingDeps, quoteCode } from '../providers/quote-code'
import type { Rate } from './rates.model'
import { selectProviders } from './select-providers'

/** The current USD price of one unit of an asset. */
export interface Price {
  /** Null for a code that is not in the catalogue. */
  asset: Rate['asset']
  /** The catalogue's code, else the requested one in upper case. */
  assetCode: string
  rate: number
  /** True when no provider was queried. */
  isStatic: boolean
  /** Each provider's price, by slug. */
  providers: Record<string, number>
}

export interface PriceDeps {
  store: Pick<Store, 'read'>
  config: Pick<Config, 'unknownAsset'>
  credentials: Credentials
  quoting: QuotingDeps
}

const stablecoins = new Set(['USDC', 'USDT'])
/** Whether the asset is always worth one dollar, whatever its fixed value. */
export const isStablecoin = (assetCode: string): boolean => stablecoins.has(comparableCode(assetCode))

/**
 * The price of an asset code, in the order of spec 1, Rate calculation, steps 1 to 6. Fails with 400 for an asset that
 * no provider knows, with 503 when there is no provider or all fail.
 */
export async function findPrice(code: string, { store, config, credentials, quoting }: PriceDeps): Promise<Price> {
  const [found] = await assetByCode(store.read).execute({ code })
  const asset = found ? { id: found.id, name: found.name, code: found.code, categoryId: found.categoryId } : null
  const assetCode = asset?.code ?? comparableCode(code)
  const fixed = isStablecoin(assetCode) ? 1 : found?.staticValue
  if (fixed) return { asset, assetCode, rate: fixed, isStatic: true, providers: {} }
  if (!asset && config.unknownAsset === 'reject') throw fail('RATED_ASSET_NOT_FOUND')
  const selected = await selectProviders(store.read, asset, credentials)
  if (selected.length === 0) throw fail('NO_PROVIDER', { message: `No provider is available for asset ${assetCode}` })
  const { rate, providers, failures, unknownEverywhere } = await quoteCode(selected, assetCode, quoting)
  if (rate !== null) return { asset, assetCode, rate, isStatic: false, providers }
  if (!asset && unknownEverywhere) throw fail('RATED_ASSET_NOT_FOUND', { details: failures })
  throw fail('PROVIDERS_FAILED', { message: `All providers failed for asset ${assetCode}`, details: failures })
}
