import { createSend, type DataOf, type SendAny, type World } from './calls.js'
import { BursarError } from './errors.js'
import { isUnavailable, usualRepeats } from './repeats.js'
import { usualWorld } from './world.js'

/** A user's tokens, to go on with after a restart. They are secrets. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** A user that has logged in. */
export interface Session {
  /** The tokens as they are now. */
  tokens(): Tokens
  /** A valid access token: a new one when the last is about to expire. */
  accessToken(): Promise<string>
  /** A token in place of one that was refused. Calls at the same time share one. */
  renew(spent: string): Promise<string>
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

/** The answer to a log-in or a refresh; `expiresIn` is in seconds. */
interface Granted extends Tokens {
  readonly expiresIn: number
}

/** Renewed that long before it expires, so that no request meets its end on the way. */
const marginMs = 30_000
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

function sessionOf({ onTokens }: SessionOptions, send: SendAny, first: Granted, { nowMs }: World): Session {
  let current = first
  let renewAt = expiryOf(first)
  let renewing: Promise<string> | null = null

  function expiryOf({ expiresIn }: Granted): number {
    return nowMs() + expiresIn * 1000 - marginMs
  }

  async function refresh(): Promise<string> {
    const granted = await refreshed(send, current.refreshToken)
    await onTokens?.(pairOf(granted))
    current = granted
    renewAt = expiryOf(granted)
    return granted.accessToken
  }

  const renew = (): Promise<string> => {
    renewing ??= refresh().finally(() => {
      renewing = null
    })
    return renewing
  }
  return {
    tokens: () => pairOf(current),
    accessToken: async () => (nowMs() < renewAt ? current.accessToken : await renew()),
    renew: async (spent) => (spent === current.accessToken ? await renew() : current.accessToken),
    async logOut() {
      await send('post', '/identity/v1/auth/logout', { body: { refreshToken: current.refreshToken } })
    },
  }
}

/** Sent once more where its answer was lost: the gateway answers the same successor for a moment. */
async function refreshed(send: SendAny, refreshToken: string): Promise<Granted> {
  const given = { body: { refreshToken }, timeoutMs: refreshTimeoutMs }
  const ask = async () => (await post(send, '/identity/v1/auth/refresh', given)).data
  return await ask().catch((error: unknown) => {
    if (error instanceof BursarError && isUnavailable(error.status)) return ask()
    throw error
  })
}

type EntryPath = '/identity/v1/auth/login' | '/identity/v1/auth/mfa' | '/identity/v1/auth/refresh'

/** The body of the answer, as the document has it. */
const post = async <P extends EntryPath>(send: SendAny, path: P, init: object): Promise<DataOf<'post', P>> =>
  (await send('post', path, init)).data as DataOf<'post', P>

const pairOf = ({ accessToken, refreshToken }: Tokens): Tokens => ({ accessToken, refreshToken })

const nobody = { headers: async () => ({}), renew: async () => false }

const anonymous = (baseUrl: string, world: World): SendAny =>
  createSend({ baseUrl, timeoutMs: 30_000, repeats: usualRepeats, credentials: nobody, world })

const secondFactorMissing = (): BursarError =>
  new BursarError(
    { status: 401, code: 'SECOND_FACTOR_REQUIRED', message: 'the user has a second factor: give `code`' },
    { operation: 'POST /identity/v1/auth/login', requestId: '', idempotencyKey: null },
  )
