import { messageOf } from '@bursar/contracts/log'
import {
  type Authorization,
  addressList,
  authorizationSetting,
  ConfigError,
  type Environment,
  environment,
  integerSetting,
  listSetting,
  type ServiceConfig,
  serviceConfig,
} from '@bursar/http'
import { type TlsSettings, tlsSettings } from './tls'

/** The limits of callers. */
export interface Limits {
  /** Requests a second of a user or API key, and of an address without credentials. */
  readonly perSecond: number
  /** Attempts of an address in five minutes to log in, to register or to set a password; where each sends a mail, of an account too. */
  readonly login: number
  /** Refused credentials of an address a minute, after which unknown ones are refused without a look-up. */
  readonly failures: number
  /** Open streams per caller. */
  readonly streams: number
  /** Lists without pages, exports, searches, and pages far down a list, that a caller may run concurrently. */
  readonly lists: number
  /** Open streams of all callers together. */
  readonly streamsInAll: number
  readonly listsInAll: number
}

/** The gateway's settings. */
export interface Config extends ServiceConfig {
  /** `documented`, or `roles`: the rules in access/. */
  readonly authorization: Authorization
  /** Origins of pages that may call, or `*`. */
  readonly corsOrigins: readonly string[]
  /** Host names that browsers may use; empty for any. */
  readonly publicHosts: readonly string[]
  /** Its public URL: the issuer of clients' access tokens, without a slash at its end. */
  readonly issuer: string
  /** Addresses of the proxies in front, whose X-Forwarded-For counts. */
  readonly trustedProxies: readonly string[]
  /** Its TLS port; null for none. */
  readonly tls: TlsSettings | null
  /** The timeout until a service's answer begins. */
  readonly upstreamTimeoutMs: number
  readonly limits: Limits
  /**
   * When the console is built: at the start, at its first request, or (`watched`) after each change of its sources too.
   */
  readonly consoleBuild: 'at-start' | 'at-request' | 'watched'
  /** The amount in USD from which two persons approve; null if one is enough. The console shows it. */
  readonly fourEyesUsd: number | null
  /** Whether `bun run backup` copies backups to another place. */
  readonly copiesBackups: boolean
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export function config(env: Environment = environment()): Config {
  const common = serviceConfig(env, 'gateway')
  const isProduction = common.environment === 'production'
  return {
    ...common,
    authorization: authorizationSetting(env, common.environment),
    corsOrigins: origins(listSetting(env, 'CORS_ORIGINS')),
    publicHosts: listSetting(env, 'GATEWAY_HOSTS').map((host) => host.toLowerCase()),
    issuer: issuerSetting(env.PUBLIC_URL || common.urls.gateway),
    trustedProxies: proxies(listSetting(env, 'TRUSTED_PROXIES')),
    tls: tlsSettings(env, common.host),
    upstreamTimeoutMs: integerSetting(env, 'UPSTREAM_TIMEOUT_MS', { fallback: 30_000, minimum: 10, maximum: 230_000 }),
    limits: {
      perSecond: integerSetting(env, 'RATE_LIMIT_PER_SECOND', { fallback: isProduction ? 100 : 25, ...counts }),
      login: integerSetting(env, 'RATE_LIMIT_LOGIN', { fallback: 5, ...counts }),
      failures: integerSetting(env, 'RATE_LIMIT_FAILURES', { fallback: 30, ...counts }),
      streams: integerSetting(env, 'RATE_LIMIT_STREAMS', { fallback: 10, ...counts }),
      lists: integerSetting(env, 'RATE_LIMIT_LISTS', { fallback: 4, ...counts }),
      streamsInAll: integerSetting(env, 'RATE_LIMIT_STREAMS_IN_ALL', { fallback: 500, ...counts }),
      listsInAll: integerSetting(env, 'RATE_LIMIT_LISTS_IN_ALL', { fallback: 40, ...counts }),
    },
    consoleBuild: buildTimes.get(env.NODE_ENV ?? '') ?? 'at-request',
    fourEyesUsd: env.FOUR_EYES_USD
      ? integerSetting(env, 'FOUR_EYES_USD', { fallback: 0, minimum: 0, maximum: 1_000_000_000_000 })
      : null,
    copiesBackups: Boolean(env.BACKUP_COPY_TO),
  }
}

/** The variable that libraries read; the console's build inlines it. */
export const modeName = 'process.env.NODE_ENV'

/** Chosen by the NODE_ENV of the start scripts; tests set another. */
const buildTimes = new Map<string, Config['consoleBuild']>([
  ['production', 'at-start'],
  ['development', 'watched'],
])

const counts = { minimum: 1, maximum: 1_000_000_000 }

function origins(entries: string[]): string[] {
  const wrong = entries.find((entry) => entry !== '*' && !isOrigin(entry))
  if (wrong === undefined) return entries
  throw new ConfigError(`CORS_ORIGINS must hold origins such as https://desk.example, or *, not "${wrong}"`)
}

const isOrigin = (text: string): boolean => /^https?:\/\/[^/?#]+$/.test(text) && URL.canParse(text)

/** The value is not shown: it may contain a password. */
function issuerSetting(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '')
  throw new ConfigError('PUBLIC_URL must be a URL that begins with http:// or https://')
}

function proxies(entries: string[]): string[] {
  try {
    addressList(entries)
    return entries
  } catch (error) {
    throw new ConfigError(`TRUSTED_PROXIES: ${messageOf(error)}`)
  }
}
