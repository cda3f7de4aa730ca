import type { Adapter } from './adapter'
import { firstOf, isObject, peekJson, priceAt, readJson, textAt, timeAt } from './answer'
import { apiKeyOf, baseOf } from './provider-config'
import { badCredential, rateLimited, unknownSymbol } from './provider-failure'
import { coingeckoIds, listedAs } from './symbols'

const credentialCodes = new Set(['10002', '10005', '10006', '10010', '10011'])

/** CoinGecko's price by coin id. A demo key or no key uses the public host, `plan: 'pro'` the paid one. */
export const coingecko: Adapter = {
  request(code, config) {
    const pro = config.plan === 'pro'
    const base = baseOf(config, pro ? 'https://pro-api.coingecko.com' : 'https://api.coingecko.com')
    const id = encodeURIComponent(listedAs(code, config, coingeckoIds))
    const key = apiKeyOf(config)
    return {
      url: `${base}/api/v3/simple/price?ids=${id}&vs_currencies=usd&precision=full&include_last_updated_at=true`,
      headers: key === undefined ? undefined : { [pro ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key']: key },
    }
  },
  read(answer, code) {
    const error = textAt(peekJson(answer), 'status.error_code') || textAt(peekJson(answer), 'error_code')
    if (error === '429') throw rateLimited()
    if (credentialCodes.has(error)) throw badCredential()
    const body = readJson(answer)
    const coin = firstOf(body)
    // An unknown id is missing in the answer.
    if (isObject(body) && coin === undefined) throw unknownSymbol(code)
    return { price: priceAt(coin, 'usd'), at: timeAt(coin, 'last_updated_at') }
  },
}
