import {
  type Authorization,
  authorizationSetting,
  type Environment,
  environment,
  type ServiceConfig,
  serviceConfig,
} from '@bursar/http'

/** The participant service's settings. */
export interface Config extends ServiceConfig {
  /** With `roles` a participant sets no status of its customers and accounts. */
  readonly authorization: Authorization
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export function config(env: Environment = environment()): Config {
  const common = serviceConfig(env, 'participant')
  return { ...common, authorization: authorizationSetting(env, common.environment) }
}
