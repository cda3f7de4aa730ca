import type { Adapter } from './adapter'
import { peekJson, priceAt, readJson, textAt } from './answer'
import { baseOf } from './provider-config'
import { badCredential, rateLimited, unknownSymbol } from './provider-failure'
import { tradedAs } from './symbols'

const unknownCodes = new Set(['-1121', '-1100'])
const limitCodes = new Set(['-1003', '-1015'])
const credentialCodes = new Set(['-1002', '-2014', '-2015'])

/** Binance's last price, in USDT taken as USD; no key. Answers 429, then 418 to clients that continue. */
export const binance: Adapter = {
  request(code, config) {
    const symbol = tradedAs(code, config)
    if (symbol === 'USDT') throw unknownSymbol(code)
    return { url: `${baseOf(config, 'https://api.binance.com')}/api/v3/ticker/price?symbol=${symbol}USDT` }
  },
  read(answer, code) {
    const error = textAt(peekJson(answer), 'code')
    if (unknownCodes.has(error)) throw unknownSymbol(code)
    if (limitCodes.has(error)) throw rateLimited()
    if (credentialCodes.has(error)) throw badCredential()
    return { price: priceAt(readJson(answer), 'price') }
  },
}
