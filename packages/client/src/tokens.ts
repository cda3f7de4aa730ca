import { createSend, type SendAny, type World } from './calls.js'
import { BursarError } from './errors.js'
import { isUnavailable, usualRepeats } from './repeats.js'

/** What gives valid access tokens: a session of a user, or the credentials of a program. */
export interface AccessTokens {
  /** A valid access token: a new one when the last is about to expire. */
  accessToken(): Promise<string>
  /** A token in place of one that was refused. Calls at the same time share one. */
  renew(spent: string): Promise<string>
}

/** An access token; `expiresIn` is in seconds. */
export interface Given {
  readonly accessToken: string
  readonly expiresIn: number
}

/** Renewed that long before it expires, so that no request meets its end on the way. */
const marginMs = 30_000

/** Keeps a token until it is about to expire; `next` gets another one. */
export function keepToken<G extends Given>(
  next: (last: G | null) => Promise<G>,
  first: G | null,
  { nowMs }: Pick<World, 'nowMs'>,
): AccessTokens & { last(): G | null } {
  let last = first
  let renewAt = first === null ? Number.NEGATIVE_INFINITY : expiryOf(first)
  let renewing: Promise<string> | null = null

  function expiryOf({ expiresIn }: Given): number {
    return nowMs() + expiresIn * 1000 - marginMs
  }

  async function fetchNext(): Promise<string> {
    const given = await next(last)
    last = given
    renewAt = expiryOf(given)
    return given.accessToken
  }

  const renew = (): Promise<string> => {
    renewing ??= fetchNext().finally(() => {
      renewing = null
    })
    return renewing
  }
  return {
    last: () => last,
    accessToken: async () => (last !== null && nowMs() < renewAt ? last.accessToken : await renew()),
    renew: async (spent) => (last === null || spent === last.accessToken ? await renew() : last.accessToken),
  }
}

/** Asks once more where the answer was lost. */
export const twice = <T>(ask: () => Promise<T>): Promise<T> =>
  ask().catch((error: unknown) => {
    if (error instanceof BursarError && isUnavailable(error.status)) return ask()
    throw error
  })

const nobody = { headers: async () => ({}), renew: async () => false }

/** Sends requests that nobody has signed. */
export const anonymous = (baseUrl: string, world: World): SendAny =>
  createSend({ baseUrl, timeoutMs: 30_000, repeats: usualRepeats, credentials: nobody, world })
