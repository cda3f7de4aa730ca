import type { Adapter } from './adapter'
import { firstOf, pick, priceAt, readJson, textAt } from './answer'
import { baseOf } from './provider-config'
import { badCredential, invalidAnswer, rateLimited, unavailable, unknownSymbol } from './provider-failure'
import { tradedAs } from './symbols'

const renamed = new Map([
  ['BTC', 'XBT'],
  ['DOGE', 'XDG'],
])

/**
 * Kraken's last trade; no key. Its `error` list tells errors, on a 200 too, and the key of the result is another name.
 */
export const kraken: Adapter = {
  request: (code, config) => ({
    url: `${baseOf(config, 'https://api.kraken.com')}/0/public/Ticker?pair=${tradedAs(code, config, renamed)}USD`,
  }),
  read(answer, code) {
    const body = readJson(answer)
    refuseError(textAt(body, 'error.0'), code)
    return { price: priceAt(firstOf(pick(body, 'result')), 'c.0') }
  },
}

function refuseError(error: string, code: string): void {
  if (error === '') return
  if (/^EQuery:Unknown asset/i.test(error)) throw unknownSymbol(code)
  if (/rate limit|too many requests|throttled|lockout/i.test(error)) throw rateLimited()
  if (/invalid key|invalid signature|permission denied/i.test(error)) throw badCredential()
  if (error.startsWith('EService')) throw unavailable('says that it is not available')
  throw invalidAnswer('an error')
}
