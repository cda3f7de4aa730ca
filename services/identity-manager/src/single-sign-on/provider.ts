import type { Log } from '@bursar/contracts/log'
import type { AppError } from '@bursar/http'
import { createOutbound, type Outbound, OutboundError } from '@bursar/http/outbound'
import * as openid from 'openid-client'
import { fail } from '../errors'
import type { SingleSignOn } from './settings'

/** The values that identify a log-in when the browser comes back, generated for this log-in only. */
export interface Checks {
  state: string
  nonce: string
  /** PKCE. */
  verifier: string
  /** Whether the user must authenticate again, even if it is logged in at the provider. */
  fresh: boolean
}

/** The claims of a verified ID token. */
export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string }

/** The OpenID provider of the settings. Calls to it fail with 503 while it does not answer. */
export interface Provider {
  readonly settings: SingleSignOn
  /** The URL where the browser logs in. */
  urlFor(checks: Checks): Promise<string>
  /** Redeems the query that the browser brought back. Fails (401) when it does not match this log-in. */
  claimsOf(query: string, checks: Checks): Promise<Claims>
}

/** The timeout of each request. */
const timeoutMs = 5000
/** How long the provider's metadata is cached. */
const knownForMs = 60 * 60_000
/** The maximum age of a fresh log-in at the provider. */
const freshSeconds = 300

/**
 * A subject has at most 255 characters (OpenID Connect, 2). Databases refuse NUL, and take one half of a surrogate pair for
 * another: two accounts would be one user.
 */
const storable = /^[^\p{Cc}\p{Cs}]{1,255}$/u

export const newChecks = (fresh: boolean): Checks => ({
  state: openid.randomState(),
  nonce: openid.randomNonce(),
  verifier: openid.randomPKCECodeVerifier(),
  fresh,
})

/** Does not call the provider before the first log-in. */
export function createProvider(settings: SingleSignOn, { now, log }: { now: () => Date; log: Log }): Provider {
  const discover = kept(() => discovered(settings, now()), now)
  const failed = failureOf(settings, log)
  const server = () =>
    discover().catch((error: unknown) => {
      throw failed(error, { is: 'away', what: 'discovery' })
    })
  return {
    settings,
    async urlFor(checks) {
      return openid.buildAuthorizationUrl(await server(), await parametersOf(settings, checks)).href
    },
    async claimsOf(query, { state, nonce, verifier, fresh }) {
      const url = new URL(settings.redirectUrl)
      url.search = query
      const expected = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
      const asked = fresh ? { ...expected, maxAge: freshSeconds } : expected
      const tokens = await openid.authorizationCodeGrant(await server(), url, asked).catch((error: unknown) => {
        throw failed(error, problemOf(error))
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('The provider has given no ID token')
      if (!storable.test(claims.sub)) throw failed(new Error('Its subject is no name'), { is: 'invalid', what: 'sub' })
      return claims
    },
  }
}

async function parametersOf(
  { redirectUrl, scopes, mfaContexts }: SingleSignOn,
  { state, nonce, verifier, fresh }: Checks,
): Promise<Record<string, string>> {
  return {
    redirect_uri: redirectUrl,
    scope: scopes,
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(mfaContexts.length > 0 ? { acr_values: mfaContexts.join(' ') } : {}),
    ...(fresh ? { prompt: 'login', max_age: `${freshSeconds}` } : {}),
  }
}

/** Caches a result for an hour; failures are retried. Concurrent callers share one request. */
function kept<T>(find: () => Promise<T>, now: () => Date): () => Promise<T> {
  let known: { found: Promise<T>; at: number } | undefined
  return () => {
    const at = now().getTime()
    if (known && Math.abs(at - known.at) < knownForMs) return known.found
    const found = find()
    known = { found, at }
    found.catch(() => {
      if (known?.found === found) known = undefined
    })
    return found
  }
}

/** The clock that the library reads. */
const libraryClock = Date.now

async function discovered(settings: SingleSignOn, now: Date): Promise<openid.Configuration> {
  const { issuer, clientId, clientSecret, clockToleranceSeconds } = settings
  const client = {
    [openid.clockTolerance]: clockToleranceSeconds,
    [openid.clockSkew]: Math.round((now.getTime() - libraryClock()) / 1000),
  }
  return await openid.discovery(new URL(issuer), clientId, client, byWhatItTakes(clientSecret), {
    timeout: timeoutMs / 1000,
    [openid.customFetch]: guarded(settings),
    execute: [
      // The library accepts an unsigned ID token over TLS; here its signature must be valid.
      openid.enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [openid.allowInsecureRequests] : []),
    ],
  })
}

/** The secret is sent as a header, which all providers must support, unless this one takes it only in the body. */
const byWhatItTakes =
  (secret: string): openid.ClientAuth =>
  (server, ...rest) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const auth = taken.includes('client_secret_basic') ? openid.ClientSecretBasic : openid.ClientSecretPost
    auth(secret)(server, ...rest)
  }

/**
 * The library's requests, through the guard against addresses of our own network: the settings name the
 * issuer, but the issuer names the addresses of its tokens and keys.
 */
function guarded({ issuer, outboundAllow }: SingleSignOn): openid.CustomFetch {
  const { protocol, hostname, port } = new URL(issuer)
  const own = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  const outbound: Outbound = createOutbound({ allow: [...outboundAllow, own] })
  return async (url, { method, headers, body, signal }) => {
    const sent = body === undefined || body === null ? undefined : String(body)
    const asked = { method, headers: { ...headers }, body: sent, timeoutMs, maxRedirects: 0, signal }
    const { status, headers: given, text } = await outbound.request(url, asked)
    const type = given.get('content-type')
    return new Response(text === '' ? null : text, { status, headers: type === null ? {} : { 'content-type': type } })
  }
}

interface Problem {
  /** `away`: not the user's fault; also when the settings do not match the provider. */
  is: 'refused' | 'invalid' | 'away'
  what: string
}

/** Turns the library's errors into messages for people. The log has the cause, without secrets. */
const failureOf =
  ({ name, issuer }: SingleSignOn, log: Log) =>
  (error: unknown, { is, what }: Problem): AppError => {
    const reason = causesOf(error).map((each) => each.message)
    log.warn({ issuer, problem: what, reason }, 'A log-in through the provider has failed')
    if (is === 'refused') return fail('UNAUTHORIZED', { message: `${name} has refused the log-in: ${what}` })
    if (is === 'invalid')
      return fail('UNAUTHORIZED', { message: `The log-in through ${name} is not valid: begin again` })
    const message = `${name} cannot be asked right now: log in with your password, or try again in a moment`
    return fail('SERVICE_UNAVAILABLE', { message, cause: error })
  }

/** The provider's error for an invalid or expired code, RFC 6749 5.2. */
const ofTheCode = new Set(['invalid_grant', 'invalid_request'])

function problemOf(error: unknown): Problem {
  if (error instanceof openid.AuthorizationResponseError) return { is: 'refused', what: plain(error.error) }
  if (error instanceof openid.ResponseBodyError) {
    return { is: ofTheCode.has(error.error) ? 'invalid' : 'away', what: plain(error.error) }
  }
  if (causesOf(error).some((each) => each instanceof OutboundError)) return { is: 'away', what: 'no answer' }
  if (error instanceof openid.ClientError && error.code !== undefined && ofTokens.has(error.code)) {
    return { is: 'invalid', what: error.code }
  }
  return { is: 'away', what: error instanceof openid.ClientError ? (error.code ?? 'unknown') : 'unknown' }
}

/** The library's errors for a well-formed answer that is not this log-in's or cannot be trusted. */
const ofTokens = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_PARSE_ERROR',
])

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let each = error; each instanceof Error && causes.length < 8; each = each.cause) causes.push(each)
  return causes
}

const plain = (code: string): string => code.replace(/[^\w .-]/g, '').slice(0, 60)
