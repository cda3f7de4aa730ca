import type { Adapter } from './adapter'
import { peekJson, priceAt, readJson, textAt } from './answer'
import { apiKeyOf, baseOf } from './provider-config'
import { badCredential, invalidAnswer, rateLimited, unknownSymbol } from './provider-failure'
import { tradedAs } from './symbols'

/** CryptoCompare's price; the key is optional. It reports errors as `Response: "Error"`, mostly on a 200. */
export const cryptocompare: Adapter = {
  request(code, config) {
    const key = apiKeyOf(config)
    return {
      url: `${baseOf(config, 'https://min-api.cryptocompare.com')}/data/price?fsym=${tradedAs(code, config)}&tsyms=USD`,
      headers: key === undefined ? undefined : { authorization: `Apikey ${key}` },
    }
  },
  read(answer, code) {
    const body = peekJson(answer)
    if (textAt(body, 'Response') === 'Error') throw meaning(textAt(body, 'Message'), textAt(body, 'Type'), code)
    return { price: priceAt(readJson(answer), 'USD') }
  },
}

function meaning(message: string, type: string, code: string) {
  if (type === '99' || /rate limit/i.test(message)) return rateLimited()
  if (/api.?key|auth/i.test(message)) return badCredential()
  if (/does not exist|no data/i.test(message)) return unknownSymbol(code)
  return invalidAnswer('an error')
}
