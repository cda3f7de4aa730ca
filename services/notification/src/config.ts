import { type Environment, environment, integerSetting, type ServiceConfig, serviceConfig } from '@bursar/http'

/** The notification service's settings. */
export interface Config extends ServiceConfig {
  /** How long events can be polled. */
  readonly retentionDays: number
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = environment()): Config => ({
  ...serviceConfig(env, 'notification'),
  retentionDays: integerSetting(env, 'NOTIFICATION_RETENTION_DAYS', { fallback: 90, minimum: 1, maximum: 36_500 }),
})
