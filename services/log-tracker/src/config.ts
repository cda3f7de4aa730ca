import { type Environment, type ServiceConfig, serviceConfig } from '@bursar/http'

/** The log tracker has no settings of its own. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = process.env): ServiceConfig => serviceConfig(env, 'log-tracker')
