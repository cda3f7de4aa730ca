import { type Environment, environment, integerSetting, type ServiceConfig, serviceConfig } from '@bursar/http'

/** The notification service's settings. */
export interface Config extends ServiceConfig {
  /** How long events can be polled. */
  readonly retentionDays: number
  /** How much the database may hold before older ones leave; 0 for any. */
  readonly retentionMegabytes: number
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = environment()): Config => ({
  ...serviceConfig(env, 'notification'),
  retentionDays: integerSetting(env, 'NOTIFICATION_RETENTION_DAYS', { fallback: 90, minimum: 1, maximum: 36_500 }),
  retentionMegabytes: integerSetting(env, 'NOTIFICATION_RETENTION_MB', {
    fallback: 0,
    minimum: 0,
    maximum: 100_000_000,
  }),
})
