import { exampleToken } from '@bursar/contracts/examples'
import { ensure, get, type Platform } from './platform'

const categories = [
  { name: 'Cryptocurrencies', description: 'Native assets of public blockchains' },
  { name: 'Stablecoins', description: 'Tokens that follow the value of a currency' },
]

const providers = [
  { name: 'Coinbase', slug: 'coinbase', isDefault: true, config: { priority: 1, timeout: 5000 } },
  { name: 'Kraken', slug: 'kraken', isDefault: true, config: { priority: 2, timeout: 5000 } },
  { name: 'Bitstamp', slug: 'bitstamp', isDefault: true, config: { priority: 3, timeout: 5000 } },
]

const quoteAssets = [
  { code: 'BTC', name: 'Bitcoin', category: 'Cryptocurrencies' },
  { code: 'ETH', name: 'Ether', category: 'Cryptocurrencies' },
  { code: 'SOL', name: 'Solana', category: 'Cryptocurrencies' },
  { code: 'USDC', name: 'USD Coin', category: 'Stablecoins' },
  { code: 'USDT', name: 'Tether USD', category: 'Stablecoins' },
  { code: 'EURC', name: 'Euro Coin', category: 'Stablecoins' },
] as const

const { code, network, contractAddress, decimals } = exampleToken
const ledgerAssets = [
  { code, name: 'USD Coin', decimalPlaces: decimals, address: contractAddress, network },
  { code: 'ETH', name: 'Ether', decimalPlaces: 18, address: 'native', network: 'ethereum' },
  { code: 'SOL', name: 'Solana', decimalPlaces: 9, address: 'native', network: 'solana' },
]

/** The quote service's categories, providers and assets, and the core ledger's assets. */
export async function seedCatalogue(platform: Platform) {
  const categoryIds = new Map<string, string>()
  for (const category of categories)
    categoryIds.set(category.name, await quoted(platform, 'categories', 'name', category))
  const providerIds = new Map<string, string>()
  for (const provider of providers)
    providerIds.set(provider.slug, await quoted(platform, 'providers', 'slug', provider))
  let quoteAsset = ''
  for (const { category, ...asset } of quoteAssets) {
    const id = await quoted(platform, 'assets', 'code', { ...asset, categoryId: categoryIds.get(category) })
    if (asset.code === 'EURC') quoteAsset = id
  }
  const held = await get<{ id: string; code: string }[]>(platform, 'core-ledger', 'assets')
  const assetIds = new Map<string, string>()
  for (const asset of ledgerAssets) {
    const known = held.find((each) => each.code.toUpperCase() === asset.code)
    const id = await ensure(platform, ['core-ledger', 'assets'], `asset ${asset.code}`, known, { body: asset })
    assetIds.set(asset.code, id)
  }
  return {
    category: categoryIds.get('Stablecoins'),
    provider: providerIds.get('bitstamp'),
    spareProvider: providerIds.get('kraken'),
    quoteAsset,
    asset: assetIds.get(code),
  }
}

/** The id of the record with exactly this `by`. Lists match parts of it, so equality is checked here. */
async function quoted<B extends string, R extends Record<B, string>>(
  platform: Platform,
  resource: string,
  by: B,
  record: R,
): Promise<string> {
  const value: string = record[by]
  const path = `${resource}?${by}=${encodeURIComponent(value)}&limit=100`
  const { data } = await get<{ data: ({ id: string } & Record<B, string>)[] }>(platform, 'quote', path)
  const known = data.find((each) => each[by] === value)
  return await ensure(platform, ['quote', resource], `${resource} ${value}`, known, { body: record })
}
