import {
  AppError,
  askedPeer,
  currentRequest,
  fetchPeer,
  type Restarts,
  type Tracer,
  traceparentOf,
  wasNeverSent,
} from '@bursar/http'
import { fail } from '../errors'
import type { Body } from './body-limits'

/** A request to a service. */
export interface Forwarded {
  service: string
  restarts: Restarts
  tracer: Tracer
  /** Of the service's instances. */
  addresses: readonly string[]
  /** Path and query. */
  path: string
  method: string
  headers: Record<string, string>
  body: Body
  /** Aborts when the caller disconnects; with an AppError, that is the answer. */
  signal: AbortSignal
  /** The timeout until the answer begins, from the last part of the body. */
  timeoutMs: number
}

/**
 * The service's answer, with an unread body. A request that could not be sent at all goes to the next instance, or waits while
 * the service restarts, and so does a read, or a write with a key, whose connection broke. Fails: 503 unreachable, 502 aborted, 504 timed out.
 */
export async function forward(request: Forwarded): Promise<Response> {
  const stop = new AbortController()
  const onGone = () => stop.abort(request.signal.reason)
  const onLate = () => stop.abort(new DOMException('late', 'TimeoutError'))
  const late = setTimeout(onLate, request.timeoutMs)
  request.body.onProgress = () => late.refresh()
  request.signal.addEventListener('abort', onGone)
  try {
    const { restarts, addresses, timeoutMs } = request
    // A body that streams can be sent once.
    const isOnce = request.body.content instanceof ReadableStream
    const options = { isRepeatable: isRepeatable(request), timeoutMs, signal: stop.signal, isOnce }
    return await restarts.send(addresses, (address) => send(request, address, stop.signal), options)
  } catch (error) {
    throw upstreamFailure(error instanceof AppError ? error : (stop.signal.reason ?? error), request.service)
  } finally {
    request.signal.removeEventListener('abort', onGone)
    request.body.onProgress = () => {}
    clearTimeout(late)
  }
}

/** Whether the service acts once on two copies. */
const isRepeatable = ({ method, headers }: Forwarded): boolean =>
  method === 'GET' || method === 'HEAD' || 'idempotency-key' in headers || 'x-idempotency-key' in headers

async function send(request: Forwarded, address: string, signal: AbortSignal): Promise<Response> {
  const { path, method, body, service, tracer } = request
  const trace = tracer.below(currentRequest()?.trace)
  const headers = trace ? { ...request.headers, traceparent: traceparentOf(trace) } : request.headers
  const startMs = performance.now()
  let status: number | null = null
  try {
    const sent = { method, headers, body: body.content, signal, redirect: 'manual', decompress: false } as const
    const answer = await fetchPeer(address + path, sent)
    status = answer.status
    return answer
  } finally {
    tracer.done(trace, startMs, () => askedPeer(method, service, status))
  }
}

/** The caller's error for a failed request to a service. */
function upstreamFailure(cause: unknown, service: string): AppError {
  if (cause instanceof AppError) return cause
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return fail('UPSTREAM_TIMEOUT', { message: `The ${service} service did not answer in time`, cause })
  }
  if (wasNeverSent(cause)) {
    return fail('SERVICE_UNAVAILABLE', { message: `The ${service} service cannot be reached right now`, cause })
  }
  return fail('UPSTREAM_ERROR', { message: `The ${service} service’s answer was aborted`, cause })
}
