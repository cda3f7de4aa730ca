import { AsyncLocalStorage } from 'node:async_hooks'
import { placeNow, traceOf } from '../trace/followed'
import type { Trace } from '../trace/trace-context'

/** The context of the current request, available anywhere in its call stack. */
export interface RequestContext {
  /** The caller's `x-request-id`, or a generated one. */
  readonly id: string
  /** The path as the caller sent it, without the query. */
  readonly path: string
  /** The route's pattern (`/assets/:id`); null until the router found one. */
  route: string | null
  /** The body as received, for code that needs the exact bytes (idempotency, signatures). */
  body: string
  /** The largest body in bytes, if it is a file, which the route reads itself. */
  readonly fileBytes?: number | undefined
  /** The answer is generated while it is sent: its length is not known before. */
  isStreamed?: boolean
  /** Why it was refused, for its log line. */
  problem?: string
  /** Its trace context; null or missing if it is not traced. */
  trace?: Trace | null
}

const requests = new AsyncLocalStorage<RequestContext>()

/** The request that the running code serves; undefined outside a request (start-up, consumers, timers). */
export const currentRequest = (): RequestContext | undefined => requests.getStore()

/** Its id, or null outside a request. */
export const currentRequestId = (): string | null => requests.getStore()?.id ?? null

/** Runs `body` as part of the request. */
export const inRequest = <T>(context: RequestContext, body: () => T): T => requests.run(context, body)

/** Runs work that has no request under this id: its calls, events and log lines carry it. */
export const asRequest = <T>(id: string, body: () => T): T =>
  inRequest({ id, path: '', route: null, body: '', trace: traceOf(id) ?? currentTrace() }, body)

/** The trace context of the running code; null if it is not traced. */
export const currentTrace = (): Trace | null => requests.getStore()?.trace ?? placeNow()

const requestIdPattern = /^[\x21-\x7e]{1,128}$/

/** The caller's id if it is 1 to 128 visible ASCII characters, else a new UUID. */
export function requestIdFrom(header: string | null): string {
  return header !== null && requestIdPattern.test(header) ? header : crypto.randomUUID()
}
