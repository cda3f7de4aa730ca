import { AppError, fetchPeer } from '@bursar/http'
import type { Body } from './body-limits'
import { upstreamFailure, wasNeverSent } from './upstream-failure'

/** A request to a service. */
export interface Forwarded {
  service: string
  url: string
  method: string
  headers: Record<string, string>
  body: Body
  /** Aborts when the caller disconnects. */
  signal: AbortSignal
  /** The timeout until the answer begins, from the last part of the body. */
  timeoutMs: number
}

/**
 * The service's answer, with an unread body. A read that could not be sent at all is retried once. Fails: 503
 * unreachable, 502 aborted, 504 timed out.
 */
export async function forward(request: Forwarded): Promise<Response> {
  const stop = new AbortController()
  const onGone = () => stop.abort()
  const onLate = () => stop.abort(new DOMException('late', 'TimeoutError'))
  const late = setTimeout(onLate, request.timeoutMs)
  request.body.onProgress = () => late.refresh()
  request.signal.addEventListener('abort', onGone, { once: true })
  try {
    return await send(request, stop.signal).catch((error: unknown) => {
      if (isRead(request.method) && wasNeverSent(error)) return send(request, stop.signal)
      throw error
    })
  } catch (error) {
    throw error instanceof AppError ? error : upstreamFailure(stop.signal.reason ?? error, request.service)
  } finally {
    request.signal.removeEventListener('abort', onGone)
    request.body.onProgress = () => {}
    clearTimeout(late)
  }
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

const send = ({ url, method, headers, body }: Forwarded, signal: AbortSignal): Promise<Response> =>
  fetchPeer(url, { method, headers, body: body.content, signal, redirect: 'manual', decompress: false })
