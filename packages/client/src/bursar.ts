import {
  type Credentials,
  createSend,
  type DataOf,
  type InitArguments,
  type Method,
  type PathOf,
  type Send,
  type SendAny,
} from './calls.js'
import { type ItemOf, type ListInit, listAll } from './lists.js'
import { type Repeats, usualRepeats } from './repeats.js'
import type { ListPath } from './routes.js'
import type { AccessTokens } from './tokens.js'
import { usualWorld } from './world.js'

export interface BursarOptions {
  /** The gateway: `https://bursar.bank.example`. */
  baseUrl: string
  /** The API key of an institution. */
  apiKey?: string
  /**
   * A user that has logged in (`logIn`), or a program's tokens (`clientCredentials`). Users of an institution send its API key
   * as well, once it has one.
   */
  session?: AccessTokens
  /** How long an attempt may take with its answer: 30,000 unless given. */
  timeoutMs?: number
  repeats?: Partial<Repeats>
  /** In place of the global one: for a proxy, say. */
  fetch?: (request: Request) => Promise<Response>
}

type Ask<M extends Method> = <P extends PathOf<M>>(path: P, ...init: InitArguments<M, P>) => Promise<DataOf<M, P>>

/**
 * Calls the platform through its gateway. All calls reject with BursarError where they do not succeed, and with TypeError where
 * no request can be made of what was given.
 */
export interface Bursar {
  /** Resolve with the body of the answer. */
  readonly get: Ask<'get'>
  readonly post: Ask<'post'>
  readonly put: Ask<'put'>
  readonly patch: Ask<'patch'>
  readonly delete: Ask<'delete'>
  /** Resolves with the whole answer: its status and headers too. */
  readonly send: Send
  /** All records of a list, its pages asked for as they are needed. */
  list<P extends ListPath>(path: P, init?: ListInit<P>): AsyncGenerator<ItemOf<P>, void, undefined>
}

/** A client of the gateway at `baseUrl`. */
export function createBursar({ baseUrl, timeoutMs = 30_000, repeats, fetch, ...who }: BursarOptions): Bursar {
  const send = createSend({
    baseUrl,
    timeoutMs,
    repeats: { ...usualRepeats, ...repeats },
    credentials: credentialsOf(who),
    world: fetch ? { ...usualWorld, fetch } : usualWorld,
  })
  return callsBy(send)
}

/** The calls of a client that sends so, with their types. */
export function callsBy(send: SendAny): Bursar {
  const ask = (method: Method) => async (path: string, init?: object) => (await send(method, path, init)).data
  const calls = {
    get: ask('get'),
    post: ask('post'),
    put: ask('put'),
    patch: ask('patch'),
    delete: ask('delete'),
    send,
    list: (path: ListPath, init?: object) => listAll(send, path, init),
  }
  return calls as unknown as Bursar
}

/** What each request is sent with. */
export function credentialsOf({ apiKey, session }: Pick<BursarOptions, 'apiKey' | 'session'>): Credentials {
  const key: Record<string, string> = apiKey === undefined ? {} : { 'x-api-key': apiKey }
  return {
    headers: async () => (session ? { ...key, authorization: `Bearer ${await session.accessToken()}` } : key),
    async renew({ authorization = '' }) {
      await session?.renew(authorization.replace('Bearer ', ''))
      return session !== undefined
    },
  }
}
