import type { Adapter } from './adapter'
import { pick, priceAt, readJson, textAt, timeAt } from './answer'
import { apiKeyOf, baseOf } from './provider-config'
import { invalidAnswer, unknownSymbol } from './provider-failure'
import { listedAs, pythIds } from './symbols'

const bareId = (id: string) => id.toLowerCase().replace(/^0x/, '')

/** Pyth's latest price from Hermes, as a whole number and a power of ten. Takes a Bearer key. */
export const pyth: Adapter = {
  request(code, config) {
    const base = baseOf(config, 'https://pyth.dourolabs.app/hermes')
    const id = encodeURIComponent(listedAs(code, config, pythIds))
    const key = apiKeyOf(config)
    return {
      url: `${base}/v2/updates/price/latest?ids[]=${id}&parsed=true`,
      headers: key === undefined ? undefined : { authorization: `Bearer ${key}` },
    }
  },
  read(answer, code, config) {
    if (answer.status === 404 || /price ids? not found/i.test(answer.text)) throw unknownSymbol(code)
    const body = readJson(answer)
    const feed = pick(body, 'parsed.0')
    if (feed === undefined && Array.isArray(pick(body, 'parsed'))) throw unknownSymbol(code)
    const id = textAt(feed, 'id')
    if (id && bareId(id) !== bareId(listedAs(code, config, pythIds))) throw invalidAnswer('the price of another asset')
    return {
      // big.js reads the exponent exactly; a multiplication here would not be exact.
      price: `${priceAt(feed, 'price.price')}e${priceAt(feed, 'price.expo')}`,
      at: timeAt(feed, 'price.publish_time'),
    }
  },
}
