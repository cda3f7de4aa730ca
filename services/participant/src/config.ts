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
  /** The key that encrypts stored API keys, base64; undefined: a key in a file beside the database. */
  readonly secretKey: string | undefined
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export function config(env: Environment = environment()): Config {
  const common = serviceConfig(env, 'participant')
  return {
    ...common,
    authorization: authorizationSetting(env, common.environment),
    secretKey: env.PARTICIPANT_SECRET_KEY || undefined,
  }
}
