import { comparableCode } from '@bursar/contracts/asset-code'
import type { Adapter } from './adapter'
import { type ExactJson, firstOf, peekJson, pick, priceAt, readJson, textAt, timeAt } from './answer'
import { apiKeyOf, baseOf } from './provider-config'
import { badCredential, invalidAnswer, rateLimited, unavailable, unknownSymbol } from './provider-failure'
import { coinmarketcapIds, listedAs, overrideOf } from './symbols'

/** CoinMarketCap's price by coin id; needs a key. `status.error_code` tells errors, on a 200 too. */
export const coinmarketcap: Adapter = {
  request(code, config) {
    const base = baseOf(config, 'https://pro-api.coinmarketcap.com')
    const id = encodeURIComponent(listedAs(code, config, coinmarketcapIds))
    const key = apiKeyOf(config)
    return {
      url: `${base}/v3/cryptocurrency/quotes/latest?id=${id}&convert=USD`,
      headers: key === undefined ? undefined : { 'x-cmc_pro_api_key': key },
    }
  },
  read(answer, code, config) {
    const status = pick(peekJson(answer), 'status')
    refuseError(Number(textAt(status, 'error_code')), textAt(status, 'error_message'), code)
    const coin = onlyCoin(pick(readJson(answer), 'data'), code)
    const symbol = textAt(coin, 'symbol')
    if (comparableCode(symbol) !== comparableCode(code) && overrideOf(code, config) === undefined) {
      throw invalidAnswer('the price of another asset')
    }
    const usd = usdQuote(pick(coin, 'quote'))
    return { price: priceAt(usd, 'price'), at: timeAt(usd, 'last_updated') }
  },
}

/** Depending on the API version coins are a list, keyed by id, or lists keyed by id. */
function onlyCoin(data: ExactJson | undefined, code: string): ExactJson {
  if (typeof data !== 'object' || data === null) throw invalidAnswer('no price')
  const found = firstOf(data)
  const coin = Array.isArray(found) ? found[0] : found
  if (coin === undefined) throw unknownSymbol(code)
  return coin
}

/** Quotes are keyed by currency, or a list in newer versions of the API. */
function usdQuote(quote: ExactJson | undefined): ExactJson | undefined {
  return Array.isArray(quote) ? quote.find((each) => textAt(each, 'symbol') === 'USD') : pick(quote, 'USD')
}

/** 1001 to 1007 concern the key, 1008 to 1011 limits; the others are HTTP statuses. */
function refuseError(error: number, message: string, code: string): void {
  if (!error) return
  if (error === 401 || error === 403 || (error >= 1001 && error <= 1007)) throw badCredential()
  if (error === 429 || (error >= 1008 && error <= 1011)) throw rateLimited()
  if (error === 400 && /invalid value for "?id/i.test(message)) throw unknownSymbol(code)
  if (error >= 500 && error < 600) throw unavailable('says that it is not available')
  throw invalidAnswer('an error')
}
