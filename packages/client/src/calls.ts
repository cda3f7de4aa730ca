import createFetch, { type MaybeOptionalInit } from 'openapi-fetch'
import type {
  HttpMethod,
  MediaType,
  PathsWithMethod,
  Readable,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from 'openapi-typescript-helpers'
import type { paths } from './api.js'
import { type Asked, BursarError, failureOf, noAnswer } from './errors.js'
import { mayRepeat, pauseOf, type Repeats } from './repeats.js'
import { keyedRoutes, otherAnswers } from './routes.js'

/** The methods of the API. */
export type Method = Extract<HttpMethod, 'get' | 'post' | 'put' | 'patch' | 'delete'>
/** The paths that have this method. */
export type PathOf<M extends Method> = PathsWithMethod<paths, M>

/** What a call may say besides what its route takes. */
export interface CallOptions {
  /**
   * Of a POST that takes one: 1 to 255 visible ASCII characters. Without it the client makes one for the repeats of this
   * call. Give your own, such as the id of your payout, where the call may be made again after a crash.
   */
  idempotencyKey?: string
  /** Ends the call, also while it waits. A write may be carried out nevertheless: give it a key of your own. */
  signal?: AbortSignal
  /** Of each attempt, with its answer. */
  timeoutMs?: number
}

/** What a route takes: `params`, `body`; and the options of a call. */
export type InitOf<M extends Method, P extends PathOf<M>> = MaybeOptionalInit<paths[P], M> & CallOptions
/** It may be left out where the route requires nothing. */
export type InitArguments<M extends Method, P extends PathOf<M>> =
  RequiredKeysOf<NonNullable<MaybeOptionalInit<paths[P], M>>> extends never
    ? [init?: InitOf<M, P>]
    : [init: InitOf<M, P>]

/** What a route answers: JSON, or for some a text or a file. */
export type DataOf<M extends Method, P extends PathOf<M>> = `${Uppercase<M>} ${P}` extends keyof OtherAnswers
  ? { text: string; blob: Blob }[OtherAnswers[`${Uppercase<M>} ${P}`]]
  : Readable<SuccessResponse<Extract<ResponseObjectMap<paths[P][M]>, Record<string | number, unknown>>, MediaType>>
type OtherAnswers = typeof otherAnswers

/** A success. */
export interface Answer<Data> {
  readonly data: Data
  readonly status: number
  readonly headers: Headers
  /** How often the request was sent. */
  readonly attempts: number
}

/** Sends requests, and repeats them where that is safe. Rejects with BursarError. */
export type Send = <M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...init: InitArguments<M, P>
) => Promise<Answer<DataOf<M, P>>>

/** The same, whose types are not looked at. */
export type SendAny = (method: Method, path: string, init?: object) => Promise<Answer<unknown>>

/** What a request proves who sends it by. */
export interface Credentials {
  /** The headers of the next attempt. */
  headers(): Promise<Record<string, string>>
  /** Told that these headers were refused as expired; true when the next ones are others. */
  renew(spent: Record<string, string>): Promise<boolean>
}

/** How requests leave, and what time is. Tests give their own. */
export interface World {
  readonly fetch: (request: Request) => Promise<Response>
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  readonly random: () => number
  /** Milliseconds of a clock that is never set. */
  readonly nowMs: () => number
}

export interface CallSettings {
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly repeats: Repeats
  readonly credentials: Credentials
  readonly world: World
}

/** What is passed on to openapi-fetch. */
interface Sent {
  headers?: Record<string, string>
  params?: { path?: Record<string, unknown>; header?: Record<string, unknown> }
}
type Fetched = { data?: unknown; error?: unknown; response: Response }
type Outcome = { answer: Omit<Answer<unknown>, 'attempts'> } | { error: BursarError }

/** Sends requests to the gateway at `baseUrl`. */
export function createSend(settings: CallSettings): SendAny {
  const { world, repeats, credentials } = settings
  const client = createFetch<paths>({ baseUrl: settings.baseUrl, fetch: world.fetch, redirect: 'manual' })
  const request = client.request as (method: Method, path: never, init: never) => Promise<Fetched>

  async function attempt(
    method: Method,
    path: string,
    init: Sent,
    asked: Asked,
    limits: CallOptions,
  ): Promise<Outcome> {
    const timeout = AbortSignal.timeout(limits.timeoutMs ?? settings.timeoutMs)
    const signal = limits.signal ? AbortSignal.any([limits.signal, timeout]) : timeout
    let isSent = false
    const fetch = (made: Request) => {
      isSent = true
      return world.fetch(made)
    }
    const parseAs = Object.entries(otherAnswers).find(([route]) => route === asked.operation)?.[1]
    try {
      const sent = { ...init, signal, fetch, parseAs }
      const { data, error, response } = await request(method, path as never, sent as never)
      if (!response.ok) return { error: new BursarError(failureOf(response, error), asked) }
      if (data === undefined && response.status !== 204) throw new Error('it is empty')
      return { answer: { data, status: response.status, headers: response.headers } }
    } catch (cause) {
      limits.signal?.throwIfAborted()
      // The caller's mistake: no request can be made of what was given.
      if (!isSent) throw cause
      return { error: new BursarError(noAnswer(cause), asked) }
    }
  }

  return async (method, path, given = {}) => {
    const { idempotencyKey, signal, timeoutMs, ...init }: Sent & CallOptions = given
    const operation = `${method.toUpperCase()} ${path}`
    refuseOdd(operation, path, init)
    const key = keyOf(operation, idempotencyKey)
    const asked = { operation, requestId: crypto.randomUUID(), idempotencyKey: key }
    const isRepeatable = method === 'get' || key !== null
    const endsAt = world.nowMs() + repeats.patienceMs
    let lost: BursarError | null = null
    // Without credentials nothing more is learnt of what was sent: its error has the key.
    const notLearnt = (cause: unknown): never => {
      throw lost ?? cause
    }
    let wasRenewed = false
    for (let sent = 1; ; sent++) {
      signal?.throwIfAborted()
      const who = await credentials.headers().catch(notLearnt)
      const headers = { ...init.headers, ...who, ...headersOf(asked) }
      const attempted = { ...asked, wasLost: lost !== null }
      const outcome = await attempt(method, path, { ...init, headers }, attempted, { signal, timeoutMs })
      if ('answer' in outcome) return { ...outcome.answer, attempts: sent }
      const { error } = outcome
      // Whoever is refused has done nothing: any request may be sent again.
      if (error.code === 'TOKEN_EXPIRED' && !wasRenewed) {
        wasRenewed = true
        if (await credentials.renew(who).catch(notLearnt)) continue
      }
      if (error.isUncertain) lost = error
      if (sent >= repeats.attempts || !mayRepeat(error, isRepeatable)) throw error
      const pause = pauseOf(sent, error, repeats, world.random)
      if (world.nowMs() + pause > endsAt) throw error
      await world.sleep(pause, signal)
    }
  }
}

/** The key of a POST that takes one. One for another route, or one that is none, would not make it repeatable, and is refused. */
function keyOf(operation: string, given: string | undefined): string | null {
  if (given !== undefined && !/^[\x21-\x7e]{1,255}$/.test(given))
    throw new TypeError(`${operation}: an idempotency key is 1 to 255 visible ASCII characters`)
  if (keyedRoutes.has(operation)) return given ?? crypto.randomUUID()
  if (given === undefined) return null
  throw new TypeError(`${operation} takes no idempotency key: it may act twice when it is sent twice`)
}

/**
 * An id that the address would lose, or that would lead to another route, is refused here; and a key among the headers, which
 * would be sent in place of the one that errors name.
 */
function refuseOdd(operation: string, path: string, init: Sent): void {
  const odd = Object.entries(init.params?.path ?? {}).find(([, value]) => ['', '.', '..'].includes(String(value)))
  if (odd) throw new TypeError(`${operation}: ${odd[0]} must not be ${JSON.stringify(odd[1])}`)
  if (!path.startsWith('/')) throw new TypeError(`${operation}: a path begins with a slash`)
  const isKey = (name: string) => /^(?:x-)?idempotency-key$/i.test(name)
  if (Object.keys(init.params?.header ?? {}).some(isKey))
    throw new TypeError(`${operation}: an idempotency key is given as \`idempotencyKey\``)
}

const headersOf = ({ requestId, idempotencyKey }: Asked): Record<string, string> => ({
  'x-request-id': requestId,
  ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
})
