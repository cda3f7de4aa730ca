import type { DataOf, SendAny, World } from './calls.js'
import { BursarError } from './errors.js'
import { type AccessTokens, anonymous, type Given, keepToken, twice } from './tokens.js'
import { usualWorld } from './world.js'

/** A user's tokens, to go on with after a restart. They are secrets. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** A user that has logged in. */
export interface Session extends AccessTokens {
  /** The tokens as they are now. */
  tokens(): Tokens
  /** Ends the session: its tokens are refused from then on. */
  logOut(): Promise<void>
}

interface SessionOptions {
  /** The gateway: `https://bursar.bank.example`. */
  baseUrl: string
  /** Called with each new pair of tokens before it is used. A refresh token works once: store the new one. */
  onTokens?: (tokens: Tokens) => void | Promise<void>
}

export interface LogIn extends SessionOptions {
  email: string
  password: string
  /** Six digits of the authenticator, or a recovery code: asked of users who have a second factor. */
  code?: () => string | Promise<string>
}

/** The answer to a log-in or a refresh. */
interface Granted extends Tokens, Given {}

/** A refresh token may be sent again for ten seconds when its answer was lost: two attempts fit. */
const refreshTimeoutMs = 4000

/** Logs a user in. Rejects with BursarError; its code is SECOND_FACTOR_REQUIRED when `code` is missing. */
export async function logIn({ email, password, code, ...options }: LogIn, world = usualWorld): Promise<Session> {
  const send = anonymous(options.baseUrl, world)
  const body = { email, password }
  const { data: answer } = await post(send, '/identity/v1/auth/login', { body })
  if (!('mfaRequired' in answer)) return await begin(options, send, answer, world)
  if (!code) throw secondFactorMissing()
  const proof = { challenge: answer.challenge, code: await code() }
  const { data: granted } = await post(send, '/identity/v1/auth/mfa', { body: proof })
  return await begin(options, send, granted, world)
}

/** Goes on with a session by tokens that were stored. */
export async function resumeSession(
  { tokens, ...options }: SessionOptions & { tokens: Tokens },
  world = usualWorld,
): Promise<Session> {
  return sessionOf(
    options,
    anonymous(options.baseUrl, world),
    { ...tokens, expiresIn: Number.POSITIVE_INFINITY },
    world,
  )
}

async function begin(options: SessionOptions, send: SendAny, granted: Granted, world: World): Promise<Session> {
  await options.onTokens?.(pairOf(granted))
  return sessionOf(options, send, granted, world)
}

function sessionOf({ onTokens }: SessionOptions, send: SendAny, first: Granted, world: World): Session {
  const kept = keepToken<Granted>(refresh, first, world)
  const current = () => kept.last() ?? first

  async function refresh(): Promise<Granted> {
    const granted = await refreshed(send, current().refreshToken)
    await onTokens?.(pairOf(granted))
    return granted
  }

  return {
    tokens: () => pairOf(current()),
    accessToken: kept.accessToken,
    renew: kept.renew,
    async logOut() {
      await send('post', '/identity/v1/auth/logout', { body: { refreshToken: current().refreshToken } })
    },
  }
}

/** The gateway answers the same successor again for a moment. */
function refreshed(send: SendAny, refreshToken: string): Promise<Granted> {
  const given = { body: { refreshToken }, timeoutMs: refreshTimeoutMs }
  return twice(async () => (await post(send, '/identity/v1/auth/refresh', given)).data)
}

type EntryPath = '/identity/v1/auth/login' | '/identity/v1/auth/mfa' | '/identity/v1/auth/refresh'

/** The body of the answer, as the document has it. */
const post = async <P extends EntryPath>(send: SendAny, path: P, init: object): Promise<DataOf<'post', P>> =>
  (await send('post', path, init)).data as DataOf<'post', P>

const pairOf = ({ accessToken, refreshToken }: Tokens): Tokens => ({ accessToken, refreshToken })

const secondFactorMissing = (): BursarError =>
  new BursarError(
    { status: 401, code: 'SECOND_FACTOR_REQUIRED', message: 'the user has a second factor: give `code`' },
    { operation: 'POST /identity/v1/auth/login', requestId: '', idempotencyKey: null },
  )
