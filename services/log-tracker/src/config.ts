import { type Environment, environment, integerSetting, type ServiceConfig, serviceConfig } from '@bursar/http'

/** The log tracker's settings. */
export interface Config extends ServiceConfig {
  /** The maximum number of open streams of new messages per address. */
  readonly streamsPerAddress: number
  /** How long messages are kept; 0 for ever. */
  readonly retentionDays: number
  /** How much the database may hold before older ones leave; 0 for any. */
  readonly retentionMegabytes: number
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = environment()): Config => ({
  ...serviceConfig(env, 'log-tracker'),
  streamsPerAddress: integerSetting(env, 'TRACKER_STREAMS_PER_ADDRESS', { fallback: 20, minimum: 1, maximum: 500 }),
  retentionDays: integerSetting(env, 'TRACKER_RETENTION_DAYS', { fallback: 365, minimum: 0, maximum: 36_500 }),
  retentionMegabytes: integerSetting(env, 'TRACKER_RETENTION_MB', { fallback: 0, minimum: 0, maximum: 100_000_000 }),
})
