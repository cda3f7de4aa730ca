import { comparableCode } from '@bursar/contracts/asset-code'
import type { ProviderConfig } from './provider-config'
import { unknownSymbol } from './provider-failure'

type Names = ReadonlyMap<string, string>

/** An exchange's symbol of an asset: the config's, else the exchange's own, else the code itself. */
export function tradedAs(code: string, config: ProviderConfig, renamed?: Names): string {
  const upper = comparableCode(code)
  const symbol = overrideOf(code, config) ?? renamed?.get(upper) ?? upper
  if (!/^[a-z0-9]{1,20}$/i.test(symbol)) throw unknownSymbol(code)
  return symbol
}

/** The id of an asset at a provider that knows assets by id. Throws `unknown-symbol` when no id is known. */
export function listedAs(code: string, config: ProviderConfig, ids: Names): string {
  const id = overrideOf(code, config) ?? ids.get(comparableCode(code))
  if (id === undefined) throw unknownSymbol(code)
  return id
}

/** The provider's own symbol for this asset, where the config names one. */
export const overrideOf = (code: string, config: ProviderConfig): string | undefined => ofCode(config.symbols, code)

/** The price of a code in the config's own table: `{ "BTC": 65000 }`. */
export const rateOf = (code: string, config: ProviderConfig): string | undefined => ofCode(config.rates, code)

/** The entry of a code in a table by asset code, whatever the case. */
function ofCode(table: Readonly<Record<string, string | number>> = {}, code: string): string | undefined {
  const upper = comparableCode(code)
  return Object.entries(table)
    .find(([known]) => comparableCode(known) === upper)?.[1]
    .toString()
}

/** The assets with known ids: code, CoinGecko id, CoinMarketCap id, Pyth feed of its USD price. */
const listed: readonly (readonly [code: string, coingecko: string, coinmarketcap: string, pyth: string])[] = [
  ['BTC', 'bitcoin', '1', 'e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43'],
  ['ETH', 'ethereum', '1027', 'ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace'],
  ['SOL', 'solana', '5426', 'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d'],
  ['USDC', 'usd-coin', '3408', 'eaa020c61cc479712813461ce153894a96a6c00b21ed0cfc2798d1f9a9e9c94a'],
  ['USDT', 'tether', '825', '2b89b9dc8fdf9f34709a5b106b472f0f39bb6ca9ce04b0fd7f2e971688e2e53b'],
  ['EURC', 'euro-coin', '20641', '76fa85158bf14ede77087fe3ae472f66213f6ea2f5b411cb2de472794990fa5c'],
  ['PYUSD', 'paypal-usd', '27772', 'c1da1b73d7f01e7ddd54b3766cf7fcd644395ad14f70aa706ec5384c59e76692'],
  ['DAI', 'dai', '4943', 'b0948a5e5313200c632b51bb5ca32f6de0d36e9950a942d19751e833f70dabfd'],
  ['WBTC', 'wrapped-bitcoin', '3717', 'c9d8b075a5c69303365ae23633d4e085199bf5c520a3b90fed1322a0342ffc33'],
  ['XRP', 'ripple', '52', 'ec5d399846a9209f3fe5881d70aae9268c94339ff9817e8d18ff19fa05eea1c8'],
  ['BNB', 'binancecoin', '1839', '2f95862b045670cd22bee3114c39763a4a08beeb663b145d283c31d7d1101c4f'],
  ['ADA', 'cardano', '2010', '2a01deaec9e51a579277b34b122399984d0bbf57e2458a7e42fecd2829867a0d'],
  ['DOGE', 'dogecoin', '74', 'dcef50dd0a4cd2dcc17e45df1676dcb336a11a61c69df7a0299b0150c672d25c'],
  ['TRX', 'tron', '1958', '67aed5a24fdad045475e7195c98a98aea119c763f272d4523f5bac93a4f33c2b'],
  ['AVAX', 'avalanche-2', '5805', '93da3352f9f1d105fdfe4971cfa80e9dd777bfc5d0f683ebb6e1294b92137bb7'],
  ['LINK', 'chainlink', '1975', '8ac0c70fff57e9aefdf5edf44b51d62c2d433653cbb2cf5cc06bb115af04d221'],
  ['DOT', 'polkadot', '6636', 'ca3eed9b267293f6595901c734c7525ce8ef49adafe8284606ceb307afa2ca5b'],
  ['POL', 'polygon-ecosystem-token', '28321', 'ffd11c5a1cfd42f80afb2df4d9f264c15f956d68153335374ec10722edd70472'],
  ['LTC', 'litecoin', '2', '6e3f3fa8253588df9326580180233eb791e03b443a3ba7a1d892e73874e19a54'],
  ['BCH', 'bitcoin-cash', '1831', '3dd2b63686a450ec7290df3a1e0b583c0481f651351edfa7636f39aed55cf8a3'],
  ['XLM', 'stellar', '512', 'b7a8eba68a997cd0210c2e1e4ee811ad2d174b3611c22d9ebf16f4cb7e9ba850'],
  ['ATOM', 'cosmos', '3794', 'b00b60f88b03a6a625a8d1c048c3f66653edf217439983d037e7222c4e612819'],
  ['UNI', 'uniswap', '7083', '78d185a741d07edb3412b09008b7c5cfb9bbbd7d568bf00ba737b456ba171501'],
  ['AAVE', 'aave', '7278', '2b9ab1e972a281585084148ba1389800799bd4be63b957507db1349314e47445'],
  ['NEAR', 'near', '6535', 'c415de8d2eba7db216527dff4b60e8f3a5311c740dadb233e13e12547e226750'],
  ['SHIB', 'shiba-inu', '5994', 'f0d57deca57b3da2fe63a493f4c25925fdfd8edf834b20f93e1f84dbd1504d4a'],
]

export const coingeckoIds: Names = new Map(listed.map(([code, id]) => [code, id]))
export const coinmarketcapIds: Names = new Map(listed.map(([code, , id]) => [code, id]))
export const pythIds: Names = new Map(listed.map(([code, , , id]) => [code, id]))
