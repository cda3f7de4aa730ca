import { type Environment, environment, type ServiceConfig, serviceConfig } from '@bursar/http'

/** The customer service's settings: those that all services have. */
export type Config = ServiceConfig

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = environment()): Config => serviceConfig(env, 'customer')
