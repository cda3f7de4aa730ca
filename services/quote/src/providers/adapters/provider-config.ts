import { type Static, t } from '@bursar/contracts/schema'
import { Value } from '@sinclair/typebox/value'
import { ProviderFailure } from './provider-failure'

const texts = () => t.Record(t.String(), t.String())

/**
 * The fields of a provider's `config` that adapters read; other fields are the owner's. `apiKey`,
 * `credential` and `headers` are credentials.
 */
export const ProviderConfig = t.Object({
  timeout: t.Optional(
    t.Integer({
      minimum: 1,
      maximum: 60_000,
      description: 'Milliseconds to wait, default 5000; never more than 20,000',
    }),
  ),
  maxAgeMs: t.Optional(
    t.Integer({ minimum: 1, description: 'The maximum age of a price, if the provider tells its time' }),
  ),
  apiKey: t.Optional(t.String()),
  credential: t.Optional(t.Unknown({ description: 'A string is used as the API key when there is no apiKey' })),
  headers: t.Optional(texts()),
  plan: t.Optional(t.String({ description: 'coingecko: `pro` uses the paid host' })),
  baseUrl: t.Optional(t.String({ description: 'Replaces the address of a built-in provider' })),
  symbols: t.Optional(
    t.Record(t.String(), t.Union([t.String(), t.Integer()]), { description: 'The provider’s symbol by asset code' }),
  ),
  url: t.Optional(t.String({ description: 'The URL of any other provider, with {code}' })),
  path: t.Optional(t.String({ description: 'The path to the price in its answer, such as data.0.price' })),
  timePath: t.Optional(t.String({ description: 'The path to the time of that price' })),
  rates: t.Optional(
    t.Record(t.String(), t.Union([t.Number(), t.String()]), { description: 'Fixed prices by asset code' }),
  ),
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
