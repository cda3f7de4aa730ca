// How work is named in traces, by the conventions of OpenTelemetry (opentelemetry.io/docs/specs/semconv).
import type { Work } from './tracer'

/** An answered request. */
export const servedRequest = (
  method: string,
  { id, route }: { id: string; route: string | null },
  status: number,
): Work => ({
  name: route === null ? method : `${method} ${route}`,
  kind: 2,
  attributes: {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'bursar.request_id': id,
  },
  failure: status >= 500 ? `answered with ${status}` : undefined,
})

/** A call of another service, or of a receiver. `status` is null where there was no answer. */
export const askedPeer = (name: string, peer: string, status: number | null): Work => ({
  name,
  kind: 3,
  attributes: { 'peer.service': peer, 'http.response.status_code': status },
  failure: status === null ? 'no answer' : status >= 500 ? `answered with ${status}` : undefined,
})

/** An event that was worked on. */
export const handledEvent = (name: string, id: string, failure: string | undefined): Work => ({
  name: `process ${name}`,
  kind: 5,
  attributes: { 'messaging.system': 'redis', 'messaging.operation.type': 'process', 'messaging.message.id': id },
  failure,
})
