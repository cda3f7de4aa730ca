import type { Adapter } from './adapter'
import { pick, priceAt, readJson, timeAt } from './answer'
import { apiKeyOf, type ProviderConfig } from './provider-config'
import { ProviderFailure, unknownSymbol } from './provider-failure'
import { overrideOf } from './symbols'

/**
 * Any JSON over HTTP: `config.url` with `{code}`, `config.path` to the price (`data.0.price`, may hold `{code}` too)
 * and, if there is one, `config.timePath` to its time. The API key replaces `{apiKey}` in the URL, else it is sent as a
 * Bearer token.
 */
export const urlTemplate: Adapter = {
  request(code, config) {
    const { url = '', path = '' } = config
    if (path === '') throw badConfig('config.path is missing')
    if (!`${url}${path}`.includes('{code}')) throw badConfig('neither config.url nor config.path has {code}')
    const symbol = symbolOf(code, config)
    // Only dots would go up in the URL's path.
    if (/^\.*$/.test(symbol)) throw unknownSymbol(code)
    const key = apiKeyOf(config)
    const keyInUrl = key !== undefined && url.includes('{apiKey}')
    const filled = fill(url, symbol, key ?? '')
    // A code is caller input, so it must not choose the server: every code must give the same origin.
    const origins = [filled, fill(url, '1', key ?? ''), fill(url, '2', key ?? '')].map(originOf)
    if (new Set(origins).size > 1) throw badConfig('config.url has {code} in its host')
    return { url: filled, headers: key === undefined || keyInUrl ? undefined : { authorization: `Bearer ${key}` } }
  },
  read(answer, code, config) {
    if (answer.status === 404) throw unknownSymbol(code)
    const body = readJson(answer)
    const { path = '', timePath } = config
    const symbol = symbolOf(code, config)
    if (path.includes('{code}') && pick(body, path.replaceAll('{code}', symbol)) === undefined)
      throw unknownSymbol(code)
    return {
      price: priceAt(body, path.replaceAll('{code}', symbol)),
      at: timePath ? timeAt(body, timePath.replaceAll('{code}', symbol)) : undefined,
    }
  },
}

const badConfig = (message: string) => new ProviderFailure('bad-config', message)

const symbolOf = (code: string, config: ProviderConfig) => overrideOf(code, config) ?? code

const fill = (url: string, symbol: string, key: string) =>
  url.replaceAll('{code}', encodeURIComponent(symbol)).replaceAll('{apiKey}', encodeURIComponent(key))

const originOf = (url: string) => URL.parse(url)?.origin
