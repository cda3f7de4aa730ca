import { type Environment, environment, integerSetting, type ServiceConfig, serviceConfig } from '@bursar/http'

/** The message service's settings. */
export interface Config extends ServiceConfig {
  /** How long messages are kept; 0 for ever. */
  readonly retentionDays: number
  /** How much the database may hold before older ones leave; 0 for any. */
  readonly retentionMegabytes: number
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = environment()): Config => ({
  ...serviceConfig(env, 'message'),
  retentionDays: integerSetting(env, 'MESSAGE_RETENTION_DAYS', { fallback: 0, minimum: 0, maximum: 36_500 }),
  retentionMegabytes: integerSetting(env, 'MESSAGE_RETENTION_MB', { fallback: 0, minimum: 0, maximum: 100_000_000 }),
})
