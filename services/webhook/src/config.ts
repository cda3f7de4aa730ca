import {
  ConfigError,
  type Environment,
  environment,
  integerSetting,
  type ServiceConfig,
  serviceConfig,
} from '@bursar/http'
import { parseAllowList } from '@bursar/http/outbound'
import { isSecret } from './endpoints/secrets'
import { defaultSchedule, parseSchedule } from './targets/schedule'

/** The webhook service's settings. */
export interface Config extends ServiceConfig {
  /** The pauses before the retries of a delivery, in milliseconds. */
  readonly retryDelaysMs: readonly number[]
  /** The timeout for a receiver's whole answer. */
  readonly timeoutMs: number
  /** The maximum number of concurrent deliveries. */
  readonly concurrency: number
  /** How long successful deliveries are kept. */
  readonly retentionDays: number
  /** How long failed deliveries are kept; 0 for ever. */
  readonly failedRetentionDays: number
  /** How much the database may hold before older ones leave; 0 for any. */
  readonly retentionMegabytes: number
  /** Signs deliveries to a fallback URL, which has no endpoint's secret; undefined: unsigned. */
  readonly fallbackSecret: string | undefined
  /** The key that encrypts the endpoints' secrets, base64; undefined: a key in a file beside the database. */
  readonly secretKey: string | undefined
  /** Non-public addresses that receivers may have. */
  readonly outboundAllow: readonly string[]
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = environment()): Config => ({
  ...serviceConfig(env, 'webhook'),
  retryDelaysMs: parseSchedule(env.WEBHOOK_RETRY_SCHEDULE || defaultSchedule),
  timeoutMs: integerSetting(env, 'WEBHOOK_TIMEOUT_MS', { fallback: 15_000, minimum: 10, maximum: 60_000 }),
  concurrency: integerSetting(env, 'WEBHOOK_CONCURRENCY', { fallback: 100, minimum: 2, maximum: 1000 }),
  retentionDays: integerSetting(env, 'WEBHOOK_RETENTION_DAYS', { fallback: 90, minimum: 1, maximum: 36_500 }),
  failedRetentionDays: integerSetting(env, 'WEBHOOK_FAILED_RETENTION_DAYS', {
    fallback: 365,
    minimum: 0,
    maximum: 36_500,
  }),
  retentionMegabytes: integerSetting(env, 'WEBHOOK_RETENTION_MB', { fallback: 0, minimum: 0, maximum: 100_000_000 }),
  fallbackSecret: secretSetting(env.WEBHOOK_FALLBACK_SECRET),
  secretKey: env.WEBHOOK_SECRET_KEY || undefined,
  outboundAllow: parseAllowList(env.OUTBOUND_ALLOW),
})

function secretSetting(text: string | undefined): string | undefined {
  if (!text || isSecret(text)) return text || undefined
  throw new ConfigError('WEBHOOK_FALLBACK_SECRET must be whsec_ and 24 to 64 bytes in base64')
}
