import { join } from 'node:path'
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
  /** The key that encrypts secrets in the database, base64; undefined: a key in a file beside it. */
  readonly secretKey: string | undefined
  /** The first administrator; without a password one is generated. */
  readonly admin: { readonly email: string; readonly password: string | undefined }
  /** The maximum life of a session, and its life without use. */
  readonly sessionDays: number
  readonly idleDays: number
  /** The life of an invitation's link. */
  readonly invitationDays: number
  /** The period of key rotation. */
  readonly keyDays: number
  /** The SMTP server; undefined writes mails into `mailDir`. */
  readonly smtpUrl: string | undefined
  readonly mailDir: string
  readonly mailFrom: string
  /** The base URL of links in mails. */
  readonly publicUrl: string
  /** The domain (RP ID) of passkeys, and the origins of its pages. */
  readonly passkeys: { readonly rpId: string; readonly origins: readonly string[] }
  /** Undefined: users log in by password only. */
  readonly singleSignOn: SingleSignOn | undefined
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export function config(env: Environment = environment()): Config {
  const common = serviceConfig(env, 'identity-manager')
  // The gateway's own address by default; without a trailing slash.
  const publicUrl = (urlSetting('PUBLIC_URL', env.PUBLIC_URL, ['http:', 'https:']) ?? common.urls.gateway).replace(
    /\/+$/,
    '',
  )
  return {
    ...common,
    secretKey: env.IDENTITY_SECRET_KEY || undefined,
    admin: adminSetting(env),
    sessionDays: integerSetting(env, 'IDENTITY_SESSION_DAYS', { fallback: 30, minimum: 1, maximum: 365 }),
    idleDays: integerSetting(env, 'IDENTITY_IDLE_DAYS', { fallback: 7, minimum: 1, maximum: 365 }),
    invitationDays: integerSetting(env, 'IDENTITY_INVITATION_DAYS', { fallback: 7, minimum: 1, maximum: 90 }),
    keyDays: integerSetting(env, 'IDENTITY_KEY_DAYS', { fallback: 30, minimum: 1, maximum: 3650 }),
    smtpUrl: urlSetting('SMTP_URL', env.SMTP_URL, ['smtp:', 'smtps:']),
    mailDir: mailDirSetting(env, common),
    mailFrom: addressSetting('MAIL_FROM', env.MAIL_FROM || 'bursar@localhost'),
    publicUrl,
    passkeys: passkeySettings(env, publicUrl),
    singleSignOn: singleSignOnSettings(env, { environment: common.environment, publicUrl }),
  }
}

/**
 * Browsers create passkeys for domain names, not for IP addresses: this machine is `localhost`. Browsers refuse a
 * domain other than the console's own or a parent of it.
 */
function passkeySettings(env: Environment, publicUrl: string): Config['passkeys'] {
  const { protocol, hostname, port } = new URL(publicUrl)
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

/** Of several instances each would have its own mails in its own data folder: there only a folder that is named will do. */
function mailDirSetting(env: Environment, { dataDir, databaseUrl }: ServiceConfig): string {
  if (databaseUrl !== null && !env.SMTP_URL && !env.MAIL_DIR)
    throw new ConfigError('SMTP_URL must be set with DATABASE_URL (or MAIL_DIR, a folder that all instances share)')
  return env.MAIL_DIR || join(dataDir, 'mail')
}

/** An unusable value is not shown: it may contain a password. */
function urlSetting(name: string, value: string | undefined, protocols: readonly string[]): string | undefined {
  if (!value) return undefined
  if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value
  throw new ConfigError(`${name} must be a URL that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`)
}
