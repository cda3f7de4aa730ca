import { type RoleName, roleNames } from '@bursar/contracts/identity-manager'
import { isUuid } from '@bursar/contracts/schema'
import { ConfigError, type Environment, integerSetting, listSetting, wordSetting } from '@bursar/http'
import { parseAllowList } from '@bursar/http/outbound'

/** The settings of log-ins through the deployment's identity provider (OpenID Connect). */
export interface SingleSignOn {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Its display name: "Sign in with …". */
  readonly name: string
  /** The URL to which the provider redirects the browser. */
  readonly redirectUrl: string
  readonly scopes: string
  /** The claim with the roles, and the map of its values. */
  readonly roleClaim: string
  readonly roles: ReadonlyMap<string, readonly RoleName[]>
  /** The claim with the participant, and the map of its values; undefined for none. */
  readonly participantClaim: string | undefined
  readonly participants: ReadonlyMap<string, string>
  /** Whether a provider account is linked at first log-in to the user with its verified address. */
  readonly linksByEmail: boolean
  /** Whether unknown persons become users. */
  readonly createsUsers: boolean
  /** The values of `amr` and `acr` that mean a second factor. */
  readonly mfaMethods: readonly string[]
  readonly mfaContexts: readonly string[]
  readonly clockToleranceSeconds: number
  /** The maximum life of a session, after which the user logs in at the provider again. */
  readonly sessionHours: number
  /** Addresses that may be called besides public ones and the issuer's. */
  readonly outboundAllow: readonly string[]
}

/** The console's path for users who return from the provider. */
const consolePath = '/console/single-sign-on'

/** Reads the settings; undefined without an issuer. Throws ConfigError naming the variable that cannot be used. */
export function singleSignOnSettings(
  env: Environment,
  { environment, publicUrl }: { environment: 'sandbox' | 'production'; publicUrl: string },
): SingleSignOn | undefined {
  if (!env.OIDC_ISSUER) return undefined
  const claim = env.OIDC_PARTICIPANT_CLAIM || undefined
  const participants = mapped('OIDC_PARTICIPANTS', env.OIDC_PARTICIPANTS, isUuid, 'the id of a participant')
  if ((claim === undefined) !== (participants.size === 0))
    throw new ConfigError('OIDC_PARTICIPANT_CLAIM and OIDC_PARTICIPANTS are set both, or neither')
  return {
    issuer: issuerSetting(env.OIDC_ISSUER, environment),
    clientId: needed('OIDC_CLIENT_ID', env.OIDC_CLIENT_ID),
    clientSecret: needed('OIDC_CLIENT_SECRET', env.OIDC_CLIENT_SECRET),
    name: env.OIDC_NAME || 'single sign-on',
    redirectUrl: redirectSetting(env.OIDC_REDIRECT_URL || `${publicUrl}${consolePath}`),
    scopes: scopesSetting(env),
    roleClaim: env.OIDC_ROLE_CLAIM || 'roles',
    roles: rolesSetting(needed('OIDC_ROLES', env.OIDC_ROLES)),
    participantClaim: claim,
    participants: new Map([...participants].map(([value, [id = '']]) => [value, id.toLowerCase()])),
    linksByEmail: wordSetting(env, 'OIDC_LINK_BY_EMAIL', switches, 'off') === 'on',
    createsUsers: wordSetting(env, 'OIDC_CREATE_USERS', switches, 'off') === 'on',
    mfaMethods: env.OIDC_MFA_AMR ? listSetting(env, 'OIDC_MFA_AMR') : ['mfa', 'otp', 'hwk'],
    mfaContexts: listSetting(env, 'OIDC_MFA_ACR'),
    clockToleranceSeconds: integerSetting(env, 'OIDC_CLOCK_TOLERANCE', { fallback: 30, minimum: 0, maximum: 300 }),
    sessionHours: integerSetting(env, 'OIDC_SESSION_HOURS', { fallback: 12, minimum: 1, maximum: 720 }),
    outboundAllow: parseAllowList(env.OUTBOUND_ALLOW),
  }
}

const switches = ['on', 'off'] as const

/** Without TLS, whoever listens can log in as anybody. */
function issuerSetting(value: string, environment: 'sandbox' | 'production'): string {
  const url = URL.canParse(value) ? new URL(value) : null
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && environment === 'sandbox')
  if (url && isSafe && !url.search && !url.hash && !url.username) return value
  throw new ConfigError(
    'OIDC_ISSUER must be the https:// URL of the provider (http:// in a sandbox alone), without a query',
  )
}

function redirectSetting(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return url.href
  throw new ConfigError('OIDC_REDIRECT_URL must be a URL that begins with https:// or http://, without a query')
}

function scopesSetting(env: Environment): string {
  const scopes = env.OIDC_SCOPES ? listSetting(env, 'OIDC_SCOPES') : ['openid', 'email', 'profile']
  if (scopes.includes('openid')) return scopes.join(' ')
  throw new ConfigError('OIDC_SCOPES must have openid among them')
}

function needed(name: string, value: string | undefined): string {
  if (value) return value
  throw new ConfigError(`${name} must be set where OIDC_ISSUER is`)
}

function rolesSetting(text: string): ReadonlyMap<string, readonly RoleName[]> {
  const isRole = (word: string): word is RoleName => roleNames.some((name) => name === word)
  return mapped('OIDC_ROLES', text, isRole, `one of ${roleNames.join(', ')}`) as ReadonlyMap<string, RoleName[]>
}

/**
 * Comma-separated `value=word`; a repeated value has all its words. The last `=` separates, since values may contain
 * one.
 */
function mapped(
  name: string,
  text: string | undefined,
  isWord: (word: string) => boolean,
  words: string,
): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const entry of (text ?? '').split(',').filter((each) => each.trim() !== '')) {
    const at = entry.lastIndexOf('=')
    const [value, word] = [entry.slice(0, Math.max(at, 0)).trim(), entry.slice(at + 1).trim()]
    if (value === '' || !isWord(word)) throw new ConfigError(`${name}: "${entry.trim()}" is not value=${words}`)
    found.set(value, [...(found.get(value) ?? []), word])
  }
  return found
}
