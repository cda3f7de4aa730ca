import type { Adapter } from './adapter'
import { priceAt, readJson, timeAt } from './answer'
import { baseOf } from './provider-config'
import { unknownSymbol } from './provider-failure'
import { tradedAs } from './symbols'

/** Bitstamp's last trade; no key. An unknown pair is a 404, as JSON or as a page. */
export const bitstamp: Adapter = {
  request: (code, config) => ({
    url: `${baseOf(config, 'https://www.bitstamp.net')}/api/v2/ticker/${tradedAs(code, config).toLowerCase()}usd/`,
  }),
  read(answer, code) {
    if (answer.status === 404) throw unknownSymbol(code)
    const body = readJson(answer)
    return { price: priceAt(body, 'last'), at: timeAt(body, 'timestamp') }
  },
}
