import { type Environment, environment, type ServiceConfig, serviceConfig } from '@bursar/http'

/** The main-api service's settings. */
export interface Config extends ServiceConfig {
  /** Whether FOUR_EYES_USD is set: an institution that a user registered is approved by another one. */
  readonly fourEyes: boolean
  /** The key that encrypts stored API keys and checks, base64; undefined: a key in a file beside the database. */
  readonly secretKey: string | undefined
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = environment()): Config => ({
  ...serviceConfig(env, 'main-api'),
  fourEyes: Boolean(env.FOUR_EYES_USD),
  secretKey: env.MAIN_SECRET_KEY || undefined,
})
