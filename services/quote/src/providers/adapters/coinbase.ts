import type { Adapter } from './adapter'
import { peekJson, priceAt, readJson, textAt } from './answer'
import { baseOf } from './provider-config'
import { invalidAnswer, unknownSymbol } from './provider-failure'
import { tradedAs } from './symbols'

/** Coinbase's spot price; no key. An unknown currency is a 404, or a 400 with that message. */
export const coinbase: Adapter = {
  request: (code, config) => ({
    url: `${baseOf(config, 'https://api.coinbase.com')}/v2/prices/${tradedAs(code, config)}-USD/spot`,
  }),
  read(answer, code) {
    const message = textAt(peekJson(answer), 'errors.0.message')
    if (answer.status === 404 || /invalid (base )?currency/i.test(message)) throw unknownSymbol(code)
    const body = readJson(answer)
    if ((textAt(body, 'data.currency') || 'USD') !== 'USD') throw invalidAnswer('a price in another currency')
    return { price: priceAt(body, 'data.amount') }
  },
}
