import { isIPv6 } from 'node:net'
import { join, resolve } from 'node:path'
import { type ServiceName, services } from '@bursar/contracts/services'
import manifest from '../../package.json'
import { ConfigError, type Environment } from './config-error'
import { type TraceSettings, traceSettings } from './traces'

/** The settings that every service has. */
export interface ServiceConfig {
  readonly name: ServiceName
  readonly version: string
  readonly host: string
  /** Names, besides the loopback's and `host`, under which services may be called. */
  readonly allowedHosts: readonly string[]
  /** Whether real money moves here: sandboxes are lenient where it helps to try things out. */
  readonly environment: (typeof environments)[number]
  /** `required`: only callers with a valid identity are answered. */
  readonly internalAuth: (typeof internalAuths)[number]
  /** 0 takes any free port. */
  readonly port: number
  /** Where each service answers, itself among them: the first of its addresses. */
  readonly urls: Readonly<Record<ServiceName, string>>
  /** All addresses of each service, one for each instance. */
  readonly addresses: Readonly<Record<ServiceName, readonly string[]>>
  /** Shared by all services of the deployment; undefined takes the file in the data folder. */
  readonly internalSecret: string | undefined
  /** Where the service keeps `<slug>.sqlite`. */
  readonly dataDir: string
  /** The PostgreSQL server where the services keep their data instead, each in a schema of its own; null for none. */
  readonly databaseUrl: string | null
  /** Where the service's old rows go before they are deleted; null for nowhere. */
  readonly archiveDir: string | null
  /** Where the services of this machine have the sockets that they call each other by; null for nowhere. */
  readonly socketDir: string | null
  readonly redisUrl: string
  /** Where traces are recorded; null for nowhere. */
  readonly traces: TraceSettings | null
  /** How long requests wait for a service that restarts; 0 for not at all. */
  readonly restartMs: number
  readonly logLevel: (typeof logLevels)[number]
  /** `auto`: words for a person when standard output is a terminal, JSON lines otherwise. */
  readonly logFormat: (typeof logFormats)[number]
}

/** Set by the start scripts; the only setting that is read everywhere, before any config. */
export const production = process.env.NODE_ENV === 'production'

const environments = ['sandbox', 'production'] as const
const internalAuths = ['optional', 'required'] as const
const logFormats = ['auto', 'json', 'pretty'] as const
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** The common settings, from the environment that a service's `config.ts` passes. */
export function serviceConfig(env: Environment, name: ServiceName): ServiceConfig {
  const { slug, port } = services[name]
  const dataDir = env.DATA_DIR || 'data'
  const addresses = serviceAddresses(env)
  return {
    name,
    version: manifest.version,
    host: env.HOST || '127.0.0.1',
    allowedHosts: listSetting(env, 'ALLOWED_HOSTS'),
    environment: wordSetting(env, 'ENVIRONMENT', environments, 'sandbox'),
    internalAuth: wordSetting(env, 'INTERNAL_AUTH', internalAuths, 'optional'),
    port: integerSetting(env, `${slug.toUpperCase()}_PORT`, { fallback: port, minimum: 0, maximum: 65_535 }),
    urls: firstOf(addresses),
    addresses,
    internalSecret: env.INTERNAL_SECRET || undefined,
    dataDir,
    databaseUrl: databaseSetting(env),
    archiveDir: env.ARCHIVE_DIR === 'none' ? null : join(env.ARCHIVE_DIR || join(dataDir, 'archive'), name),
    socketDir: env.SOCKET_DIR === 'none' ? null : resolve(env.SOCKET_DIR || join(dataDir, 'sockets')),
    redisUrl: env.REDIS_URL || 'redis://127.0.0.1:6379',
    traces: traceSettings(env),
    restartMs: integerSetting(env, 'RESTART_WAIT_MS', { fallback: 10_000, minimum: 0, maximum: 60_000 }),
    logLevel: wordSetting(env, 'LOG_LEVEL', logLevels, 'info'),
    logFormat: wordSetting(env, 'LOG_FORMAT', logFormats, 'auto'),
  }
}

/** DATABASE_URL. Its value is not named in the error: there may be a password in it. */
export function databaseSetting(env: Environment): string | null {
  const url = env.DATABASE_URL
  if (!url) return null
  if (/^postgres(ql)?:\/\/[^/]+\/./.test(url)) return url
  throw new ConfigError(
    'DATABASE_URL must be a server and a database, such as postgres://user:password@host:5432/bursar',
  )
}

/** `<SLUG>_URL` where a service runs on other machines, an address for each instance; else this machine and `<SLUG>_PORT`. */
function serviceAddresses(env: Environment): Record<ServiceName, readonly string[]> {
  const host = ['', '0.0.0.0', '::'].includes(env.HOST ?? '') ? '127.0.0.1' : hostInUrl(env.HOST as string)
  const all = Object.entries(services).map(([name, { slug, port }]) => {
    const word = slug.toUpperCase()
    const given = listSetting(env, `${word}_URL`).map((address) => addressSetting(address, `${word}_URL`))
    return [name, given.length > 0 ? [...new Set(given)] : [`http://${host}:${env[`${word}_PORT`] || port}`]]
  })
  return Object.fromEntries(all)
}

/** A host as URLs name it: addresses of IPv6 stand in brackets. */
export const hostInUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/** Without a slash at its end. The value is not shown: it may contain a password. */
function addressSetting(address: string, name: string): string {
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return address.replace(/\/+$/, '')
  throw new ConfigError(`${name} must be one or more URLs such as http://10.0.0.5:4001, with commas between them`)
}

const firstOf = (addresses: Record<ServiceName, readonly string[]>): Record<ServiceName, string> =>
  Object.fromEntries(Object.entries(addresses).map(([name, [first]]) => [name, first])) as Record<ServiceName, string>

/** A whole number within bounds; the fallback where the variable is missing or empty. */
export function integerSetting(
  env: Environment,
  name: string,
  { fallback, minimum, maximum }: { fallback: number; minimum: number; maximum: number },
): number {
  const text = env[name]
  if (!text) return fallback
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  throw new ConfigError(`${name} must be a whole number from ${minimum} to ${maximum}, not "${text}"`)
}

/** One of a few words. */
export function wordSetting<const V extends readonly string[]>(
  env: Environment,
  name: string,
  words: V,
  fallback: V[number],
): V[number] {
  const text = env[name]
  if (!text) return fallback
  if (words.includes(text)) return text
  throw new ConfigError(`${name} must be one of ${words.join(', ')}, not "${text}"`)
}

const authorizations = ['documented', 'roles'] as const
/** `documented`: every authenticated caller may use every endpoint. `roles`: by the gateway's rules of roles and owners. */
export type Authorization = (typeof authorizations)[number]

/** AUTHORIZATION; `roles` in production unless it is set. */
export const authorizationSetting = (env: Environment, environment: ServiceConfig['environment']): Authorization =>
  wordSetting(env, 'AUTHORIZATION', authorizations, environment === 'production' ? 'roles' : 'documented')

/** Words between commas or spaces; none where the variable is missing or empty. */
export const listSetting = (env: Environment, name: string): string[] =>
  (env[name] ?? '').split(/[\s,]+/).filter((word) => word !== '')
