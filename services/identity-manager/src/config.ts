import { isEmailAddress } from '@bursar/contracts/identity-manager'
import {
  ConfigError,
  type Environment,
  environment,
  integerSetting,
  type ServiceConfig,
  serviceConfig,
} from '@bursar/http'
import { passwordProblem } from './passwords/password-rules'
import { type SingleSignOn, singleSignOnSettings } from './single-sign-on/settings'

/** The identity-manager service's settings. */
export interface Config extends ServiceConfig {
  /** The key of what is sealed in its database, base64; undefined keeps one in a file beside it. */
  readonly secretKey: string | undefined
  /** The first administrator; a password is made where none is given. */
  readonly admin: { readonly email: string; readonly password: string | undefined }
  /** How long a session lasts at most, and how long it lasts unused. */
  readonly sessionDays: number
  readonly idleDays: number
  /** How long the link of an invitation works. */
  readonly invitationDays: number
  /** After how long the next key signs. */
  readonly keyDays: number
  /** Where mails are handed over; undefined writes them into the data folder. */
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  /** What links in mails begin with. */
  readonly publicUrl: string
  /** The site that passkeys are made for, and the addresses of its pages. */
  readonly passkeys: { readonly rpId: string; readonly origins: readonly string[] }
  /** Undefined where users log in by password alone. */
  readonly singleSignOn: SingleSignOn | undefined
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = environment()): Config => ({
  ...serviceConfig(env, 'identity-manager'),
  secretKey: env.IDENTITY_SECRET_KEY || undefined,
  admin: adminSetting(env),
  sessionDays: integerSetting(env, 'IDENTITY_SESSION_DAYS', { fallback: 30, minimum: 1, maximum: 365 }),
  idleDays: integerSetting(env, 'IDENTITY_IDLE_DAYS', { fallback: 7, minimum: 1, maximum: 365 }),
  invitationDays: integerSetting(env, 'IDENTITY_INVITATION_DAYS', { fallback: 7, minimum: 1, maximum: 90 }),
  keyDays: integerSetting(env, 'IDENTITY_KEY_DAYS', { fallback: 30, minimum: 1, maximum: 3650 }),
  smtpUrl: urlSetting('SMTP_URL', env.SMTP_URL, ['smtp:', 'smtps:']),
  mailFrom: addressSetting('MAIL_FROM', env.MAIL_FROM || 'bursar@localhost'),
  publicUrl: publicUrlSetting(env),
  passkeys: passkeySettings(env),
  singleSignOn: singleSignOnSettings(env, {
    environment: serviceConfig(env, 'identity-manager').environment,
    publicUrl: publicUrlSetting(env),
  }),
})

/**
 * Browsers make passkeys for names, never for numbers: this machine is `localhost`. A site other than the console's own
 * domain, or a domain above it, is refused by browsers.
 */
function passkeySettings(env: Environment): Config['passkeys'] {
  const { protocol, hostname, port } = new URL(publicUrlSetting(env))
  const name = hostname === '127.0.0.1' || hostname === '[::1]' ? 'localhost' : hostname
  const rpId = env.PASSKEY_RP_ID || name
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(rpId))
    throw new ConfigError('PASSKEY_RP_ID must be a domain name in lower case')
  const origins = (env.PASSKEY_ORIGINS || `${protocol}//${name}${port && `:${port}`}`)
    .split(',')
    .map((each) => each.trim())
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new ConfigError(`PASSKEY_ORIGINS must be origins (https://desk.bank.example) with commas, not "${origin}"`)
  }
  return { rpId, origins }
}

function adminSetting(env: Environment): Config['admin'] {
  const email = addressSetting('ADMIN_EMAIL', env.ADMIN_EMAIL || 'admin@localhost')
  const password = env.ADMIN_PASSWORD || undefined
  const problem = password === undefined ? null : passwordProblem(password, [email])
  if (problem) throw new ConfigError(`ADMIN_PASSWORD ${problem}`)
  return { email, password }
}

function addressSetting(name: string, value: string): string {
  if (isEmailAddress(value)) return value
  throw new ConfigError(`${name} must be an e-mail address, not "${value}"`)
}

/** The gateway's own address unless given; without a slash at its end. */
const publicUrlSetting = (env: Environment): string => {
  const url = urlSetting('PUBLIC_URL', env.PUBLIC_URL, ['http:', 'https:'])
  return (url ?? serviceConfig(env, 'identity-manager').urls.gateway).replace(/\/+$/, '')
}

/** A value that cannot be used is not shown: there may be a password in it. */
function urlSetting(name: string, value: string | undefined, protocols: readonly string[]): string | undefined {
  if (!value) return undefined
  if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value
  throw new ConfigError(`${name} must be a URL that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`)
}
