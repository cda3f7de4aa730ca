import { type Outbound, OutboundError } from '@bursar/http/outbound'
import type { Adapter, ProviderAnswer } from './adapter'
import { binance } from './binance'
import { bitstamp } from './bitstamp'
import { coinbase } from './coinbase'
import { coingecko } from './coingecko'
import { coinmarketcap } from './coinmarketcap'
import type { CoolDown } from './cool-down'
import { cryptocompare } from './cryptocompare'
import { kraken } from './kraken'
import { type ProviderConfig, readConfig } from './provider-config'
import { invalidAnswer, ProviderFailure, rateLimited, unavailable, unknownSymbol } from './provider-failure'
import { pyth } from './pyth'
import { rateOf } from './symbols'
import { urlTemplate } from './url-template'

/** A provider to query. */
export interface AskedProvider {
  slug: string
  /** With decrypted credentials; a ProviderFailure when it cannot be decrypted. */
  config: unknown
}

export interface QueryDeps {
  outbound: Outbound
  coolDown: CoolDown
  now: () => Date
}

const builtIn: ReadonlyMap<string, Adapter> = new Map(
  Object.entries({ binance, bitstamp, coinbase, coingecko, coinmarketcap, cryptocompare, kraken, pyth }),
)

/** The vendor whose adapter a slug selects, and thereby its address; undefined for none. */
export function vendorOf(slug: string): string | undefined {
  const name = slug.toLowerCase()
  return builtIn.has(name) ? name : undefined
}

const defaultTimeoutMs = 5000
/** A server closes a connection after 30 s of silence: the other providers' rate would not reach the caller. */
const mostTimeoutMs = 20_000
/** How far a provider's clock may be ahead where its prices have a maximum age: the age of such a price is unknown. */
const mostAheadMs = 60_000
const decimal = /^-?\d{1,60}(\.\d{1,100})?(e[+-]?\d{1,3})?$/i

/**
 * Queries one provider for the USD price of a code: by the adapter of its slug, else by `config.url`, else from
 * `config.rates`. The price is finite and above 0 and, where the answer has a time, not older than `config.maxAgeMs`.
 * After an exceeded rate limit the provider is not called for a while: some ban clients that continue. Rejects with
 * ProviderFailure only.
 */
export async function queryProvider(provider: AskedProvider, code: string, deps: QueryDeps): Promise<ProviderAnswer> {
  try {
    if (provider.config instanceof ProviderFailure) throw provider.config
    const config = readConfig(provider.config)
    return checked(await ask(provider.slug, code, config, deps), config, deps.now())
  } catch (error) {
    throw error instanceof ProviderFailure ? error : asFailure(error)
  }
}

async function ask(slug: string, code: string, config: ProviderConfig, deps: QueryDeps): Promise<ProviderAnswer> {
  const adapter = builtIn.get(slug.toLowerCase()) ?? (config.url === undefined ? undefined : urlTemplate)
  if (adapter) return askServer(adapter, slug, code, config, deps)
  if (!config.rates) throw new ProviderFailure('no-adapter', 'no adapter')
  const price = rateOf(code, config)
  if (price === undefined) throw unknownSymbol(code)
  return { price }
}

async function askServer(
  adapter: Adapter,
  slug: string,
  code: string,
  config: ProviderConfig,
  { outbound, coolDown, now }: QueryDeps,
): Promise<ProviderAnswer> {
  const { url, headers } = adapter.request(code, config)
  const until = coolDown.until(slug, config, now())
  if (until) throw rateLimited(until)
  const answer = await outbound.request(url, {
    headers: lowerCased({ accept: 'application/json', ...headers }, config.headers),
    timeoutMs: Math.min(config.timeout ?? defaultTimeoutMs, mostTimeoutMs),
  })
  try {
    return adapter.read(answer, code, config)
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'rate-limited') {
      coolDown.start(slug, config, now(), answer.headers.get('retry-after'))
    }
    throw error
  }
}

function checked(answer: ProviderAnswer, config: ProviderConfig, now: Date): ProviderAnswer {
  if (!decimal.test(answer.price)) throw invalidAnswer('a price that is not a number')
  const price = Number(answer.price)
  if (!Number.isFinite(price) || price <= 0) throw invalidAnswer('a price that is not above 0')
  const ageMs = answer.at ? now.getTime() - answer.at.getTime() : 0
  if (config.maxAgeMs !== undefined && ageMs > config.maxAgeMs) {
    throw invalidAnswer(`a price that is ${Math.round(ageMs / 1000)} s old`)
  }
  if (config.maxAgeMs !== undefined && -ageMs > mostAheadMs) {
    throw invalidAnswer(`a price that is dated ${Math.round(-ageMs / 1000)} s ahead`)
  }
  return answer
}

function asFailure(error: unknown): ProviderFailure {
  if (!(error instanceof OutboundError)) return invalidAnswer('something that could not be read')
  switch (error.reason) {
    case 'timeout':
      return new ProviderFailure('timeout', 'did not answer in time')
    case 'blocked':
      return unavailable('its address is not public, and OUTBOUND_ALLOW does not list it')
    case 'too-large':
      return invalidAnswer('more than fits')
    case 'invalid-url':
      return new ProviderFailure('bad-config', 'its URL or one of its headers cannot be used')
    case 'unreachable':
      return unavailable(`could not be reached${error.code ? ` (${error.code})` : ''}`)
  }
}

/** Later headers replace earlier ones; names are case-insensitive. */
const lowerCased = (...sources: (Record<string, string> | undefined)[]) =>
  Object.fromEntries(sources.flatMap((source) => Object.entries(source ?? {})).map(([k, v]) => [k.toLowerCase(), v]))
