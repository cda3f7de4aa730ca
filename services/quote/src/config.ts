import {
  ConfigError,
  type Environment,
  environment,
  integerSetting,
  type ServiceConfig,
  serviceConfig,
  wordSetting,
} from '@bursar/http'
import { parseAllowList } from '@bursar/http/outbound'

/** The quote service's settings. */
export interface Config extends ServiceConfig {
  /** Whether a code outside the catalogue is priced by the default providers or refused. */
  readonly unknownAsset: 'default' | 'reject'
  /** The maximum deviation from the median of three or more answers, in percent; undefined: no limit. */
  readonly maxDeviationPct: number | undefined
  /** How long rates are kept; 0 for ever. */
  readonly retentionDays: number
  /** How much the database may hold before older ones leave; 0 for any. */
  readonly retentionMegabytes: number
  /** Non-public addresses that providers may have. */
  readonly outboundAllow: readonly string[]
  /** The key that encrypts stored credentials, base64; undefined: a key in a file beside the database. */
  readonly secretKey: string | undefined
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = environment()): Config => ({
  ...serviceConfig(env, 'quote'),
  unknownAsset: wordSetting(env, 'QUOTE_UNKNOWN_ASSET', ['default', 'reject'], 'default'),
  maxDeviationPct: percentSetting(env, 'QUOTE_MAX_DEVIATION_PCT'),
  retentionDays: retentionSetting(env),
  retentionMegabytes: integerSetting(env, 'QUOTE_RETENTION_MB', { fallback: 0, minimum: 0, maximum: 100_000_000 }),
  outboundAllow: parseAllowList(env.OUTBOUND_ALLOW),
  secretKey: env.QUOTE_SECRET_KEY || undefined,
})

/** The highest rate of a period of two days begins with the rate before it. */
export const leastRetentionDays = 4

function retentionSetting(env: Environment): number {
  const days = integerSetting(env, 'RATE_RETENTION_DAYS', { fallback: 0, minimum: 0, maximum: 36_500 })
  if (days === 0 || days >= leastRetentionDays) return days
  throw new ConfigError(
    `RATE_RETENTION_DAYS must be 0, or ${leastRetentionDays} or more: valuations look back three days`,
  )
}

function percentSetting(env: Environment, name: string): number | undefined {
  const text = env[name]
  if (!text) return undefined
  const value = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0
  if (value > 0) return value
  throw new ConfigError(`${name} must be a number above 0, in percent, not "${text}"`)
}
