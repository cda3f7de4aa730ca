import { randomBytes } from 'node:crypto'
import { sha256 } from '@bursar/http'
import { longestMs } from './console-sessions'

/** Browsers accept this name prefix only with Secure, Path=/ and no Domain, so no other host can set the cookie. */
const name = '__Host-session'

const attributes = 'Path=/; HttpOnly; Secure; SameSite=Strict'

/** A new secret for a browser: 256 random bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The stored form of a secret. This many random bits need no slow hash. */
export const idOf = (secret: string): string => sha256(secret, 'base64url')

export const setCookie = (secret: string): string => `${name}=${secret}; ${attributes}; Max-Age=${longestMs / 1000}`
export const clearCookie = `${name}=; ${attributes}; Max-Age=0`

/** The values of a cookie in a request. */
const valuesOf = (headers: Headers, cookie: string): string[] =>
  (headers.get('cookie') ?? '')
    .split(/;\s*/)
    .filter((pair) => pair.startsWith(`${cookie}=`))
    .map((pair) => pair.slice(cookie.length + 1))

/** Null for none or several, since our browsers never have two. */
function onlyValueOf(headers: Headers, cookie: string, form: RegExp): string | null {
  const [value, ...others] = valuesOf(headers, cookie)
  return value !== undefined && others.length === 0 && form.test(value) ? value : null
}

/** The secret of a request; null for none or several. */
export const secretIn = (headers: Headers): string | null => onlyValueOf(headers, name, /^[\w-]{43}$/)

/**
 * Identifies the device of an earlier log-in, which has a reserved turn among many log-ins (identity manager,
 * known-devices).
 */
const deviceName = '__Host-device'
const deviceDays = 180

export const setDeviceCookie = (token: string): string =>
  `${deviceName}=${token}; ${attributes}; Max-Age=${deviceDays * 24 * 60 * 60}`

/** The device token of a request. */
export function deviceIn(headers: Headers): string | undefined {
  const [token] = valuesOf(headers, deviceName)
  return token && /^[\w.-]{1,512}$/.test(token) ? token : undefined
}

/** The secret of a browser during a log-in at the provider (single sign-on). */
const signOnName = '__Host-sign-on'

export const setSignOnCookie = (attempt: string, seconds: number): string =>
  `${signOnName}=${attempt}; ${attributes}; Max-Age=${seconds}`
export const clearSignOnCookie = `${signOnName}=; ${attributes}; Max-Age=0`

/** The secret of a request; null for none or several. */
export const signOnIn = (headers: Headers): string | null => onlyValueOf(headers, signOnName, /^[\w-]{1,64}$/)
