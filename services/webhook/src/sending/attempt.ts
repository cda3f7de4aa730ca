import { sealedHeaders } from '@bursar/contracts/webhook'
import { askedPeer, SealBrokenError, traceOf, traceparentOf } from '@bursar/http'
import { OutboundError } from '@bursar/http/outbound'
import type { Attempted } from '../deliveries/attempts'
import type { DeliveryRow } from '../deliveries/deliveries'
import type { WebhookDeps } from '../deps'
import type { EndpointRow } from '../endpoints/endpoints'
import { secretsOf } from '../endpoints/secrets'
import { retryAfterMs } from '../targets/schedule'
import { parseHeaders, requestHeaders, signatureOf } from './request-headers'

/** The outcome of an attempt; `url` is null when it could not be prepared. */
export interface Outcome extends Attempted {
  /** The wait that the receiver asks for. */
  retryAfterMs: number | null
  /** A retry would have the same outcome. */
  isFinal: boolean
}

const keepBytes = 1024

/**
 * Sends a delivery once. Success is a 2xx answer, even if it is longer than the kept part; a redirect is not
 * followed. Rejects with the signal's reason when aborted.
 */
export async function attempt(
  deps: WebhookDeps,
  delivery: DeliveryRow,
  endpoint: EndpointRow | null,
  signal: AbortSignal,
): Promise<Outcome> {
  const startedAt = deps.now()
  const beganMs = performance.now()
  const trace = deps.tracer.below(traceOf(delivery.requestId))
  const traced: Record<string, string> = trace ? { traceparent: traceparentOf(trace) } : {}
  const found = await send(deps, { delivery, endpoint, traced }, signal, startedAt)
  deps.tracer.done(trace, beganMs, () => askedPeer('POST webhook', 'receiver', found.httpStatus))
  return {
    url: null,
    signature: null,
    answer: null,
    retryAfterMs: null,
    ...found,
    startedAt,
    durationMs: Math.round(performance.now() - beganMs),
  }
}

type Found = Pick<Outcome, 'error' | 'httpStatus' | 'isFinal'> & Partial<Outcome>

interface Sent {
  delivery: DeliveryRow
  endpoint: EndpointRow | null
  /** Headers by which the receiver can go on with the trace. */
  traced: Record<string, string>
}

async function send(
  deps: WebhookDeps,
  { delivery, endpoint, traced }: Sent,
  signal: AbortSignal,
  at: Date,
): Promise<Found> {
  const { id } = delivery
  try {
    const signature = signatureOf({ id, body: delivery.body, secrets: secretsFor(deps, endpoint, at), at })
    const headers = requestHeaders({ ...callersHeaders(deps, delivery), ...traced }, { id, at, signature })
    const url = endpoint?.url ?? delivery.url
    return { url, signature, ...(await post(deps, { url, headers, body: delivery.body }, signal, at)) }
  } catch (error) {
    if (error instanceof SealBrokenError) return sealBroken(deps, delivery, error)
    throw error
  }
}

async function post(
  { outbound, config }: WebhookDeps,
  { url, headers, body }: { url: string; headers: Record<string, string>; body: string },
  signal: AbortSignal,
  at: Date,
): Promise<Found> {
  const { timeoutMs } = config
  try {
    const {
      status,
      text,
      headers: answered,
    } = await outbound.request(url, { method: 'POST', headers, body, timeoutMs, keepBytes, maxRedirects: 0, signal })
    return { ...judged(status), answer: text, retryAfterMs: retryAfterMs(answered, at) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const { begun, message, reason } = error
    if (begun) return { ...judged(begun.status, message), answer: begun.text }
    return { error: message, httpStatus: null, isFinal: reason === 'invalid-url' }
  }
}

/** `broken` is the reason of an incomplete answer. */
function judged(status: number, broken: string | null = null): Found {
  const isSuccess = status >= 200 && status < 300
  const redirects = status >= 300 && status < 400 && status !== 304
  const failure = `The receiver answered ${status}${redirects ? ': redirects are not followed' : ''}`
  return { httpStatus: status, error: isSuccess ? broken : failure, isFinal: status === 410 }
}

const callersHeaders = ({ sealFor }: WebhookDeps, { headers, requestId }: DeliveryRow): Record<string, string> =>
  headers === null ? {} : parseHeaders(sealFor(sealedHeaders).open(headers, requestId))

function secretsFor({ secrets, config }: WebhookDeps, endpoint: EndpointRow | null, at: Date): string[] {
  if (endpoint) return secretsOf(secrets, endpoint, at)
  return config.fallbackSecret ? [config.fallbackSecret] : []
}

function sealBroken({ log }: WebhookDeps, { id, endpointId }: DeliveryRow, error: SealBrokenError): Found {
  log.error(
    { err: error, deliveryId: id, endpointId },
    'A delivery’s headers or its endpoint’s secret cannot be decrypted',
  )
  return { error: 'Its headers or the endpoint’s secret cannot be decrypted', httpStatus: null, isFinal: true }
}
