import { type Static, t } from '@bursar/contracts/schema'
import { Value } from '@sinclair/typebox/value'
import { ProviderFailure } from './provider-failure'

const texts = () => t.Record(t.String(), t.String())

/**
 * What the adapters read of a provider's `config`; whatever else is in it is the owner's business. `apiKey`,
 * `credential` and `headers` are credentials.
 */
export const ProviderConfig = t.Object({
  timeout: t.Optional(t.Integer({ minimum: 1, maximum: 60_000, description: 'Milliseconds to wait, default 5000' })),
  maxAgeMs: t.Optional(
    t.Integer({ minimum: 1, description: 'The oldest price taken, if the provider tells its time' }),
  ),
  apiKey: t.Optional(t.String()),
  credential: t.Optional(t.Unknown({ description: 'A string is taken as the API key when there is no apiKey' })),
  headers: t.Optional(texts()),
  plan: t.Optional(t.String({ description: 'coingecko: `pro` asks the paid host' })),
  baseUrl: t.Optional(t.String({ description: 'Asks a built-in provider elsewhere' })),
  symbols: t.Optional(
    t.Record(t.String(), t.Union([t.String(), t.Integer()]), { description: 'Asset code to theirs' }),
  ),
  url: t.Optional(t.String({ description: 'Of any other provider, with {code}' })),
  path: t.Optional(t.String({ description: 'To the price in its answer, such as data.0.price' })),
  timePath: t.Optional(t.String({ description: 'To the time of that price' })),
  rates: t.Optional(t.Record(t.String(), t.Union([t.Number(), t.String()]), { description: 'A fixed table' })),
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

/** Where a built-in provider is asked, without a slash at the end. */
export const baseOf = (config: ProviderConfig, usual: string): string => (config.baseUrl ?? usual).replace(/\/+$/, '')
