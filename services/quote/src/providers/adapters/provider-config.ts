import { about, type Static, t } from '@bursar/contracts/schema'
import { Value } from '@sinclair/typebox/value'
import { ProviderFailure } from './provider-failure'

/**
 * The fields of a provider's `config` that adapters read; other fields are the owner's. `apiKey`,
 * `credential` and `headers` are credentials.
 */
export const ProviderConfig = t.Object({
  timeout: about(
    'Milliseconds to wait, default 5000; never more than 20,000',
    t.Optional(t.Integer({ minimum: 1, maximum: 60_000 })),
  ),
  maxAgeMs: about('The maximum age of a price, if the provider tells its time', t.Optional(t.Integer({ minimum: 1 }))),
  apiKey: t.Optional(t.String()),
  credential: about('A string is used as the API key when there is no apiKey', t.Optional(t.Unknown())),
  headers: t.Optional(t.Record(t.String(), t.String())),
  plan: about('coingecko: `pro` uses the paid host', t.Optional(t.String())),
  baseUrl: about('Replaces the address of a built-in provider', t.Optional(t.String())),
  symbols: about(
    'The provider’s symbol by asset code',
    t.Optional(t.Record(t.String(), t.Union([t.String(), t.Integer()]))),
  ),
  url: about('The URL of any other provider, with {code}', t.Optional(t.String())),
  path: about('The path to the price in its answer, such as data.0.price', t.Optional(t.String())),
  timePath: about('The path to the time of that price', t.Optional(t.String())),
  rates: about('Fixed prices by asset code', t.Optional(t.Record(t.String(), t.Union([t.Number(), t.String()])))),
})
export type ProviderConfig = Static<typeof ProviderConfig>

/** Reads a stored config. Throws `bad-config` naming the first field that cannot be used, never its value. */
export function readConfig(stored: unknown): ProviderConfig {
  const config: unknown = stored ?? {}
  if (Value.Check(ProviderConfig, config)) return config
  const path = Value.Errors(ProviderConfig, config).First()?.path ?? ''
  throw new ProviderFailure('bad-config', `its config${path.replaceAll('/', '.')} cannot be used`)
}

export function apiKeyOf(config: ProviderConfig): string | undefined {
  const { apiKey, credential } = config
  return apiKey ?? (typeof credential === 'string' ? credential : undefined)
}

/** The base URL of a built-in provider, without a trailing slash. */
export const baseOf = (config: ProviderConfig, usual: string): string => (config.baseUrl ?? usual).replace(/\/+$/, '')
