import { identityHeader } from '@bursar/http'

/**
 * The caller's headers passed to services. All others are dropped: credentials, an `x-identity` or `x-forwarded-for`
 * of the caller's own, `Origin` (answered by the gateway), and headers of the connection.
 */
const passed = [
  'accept',
  'content-type',
  'idempotency-key',
  'x-idempotency-key',
  'if-none-match',
  'last-event-id',
  'range',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
] as const

/** The headers of the request to a service. */
export function requestHeaders(
  headers: Headers,
  { requestId, address, identity }: { requestId: string; address: string; identity: string },
): Record<string, string> {
  const sent: Record<string, string> = {
    'x-request-id': requestId,
    'x-forwarded-for': address,
    [identityHeader]: identity,
  }
  for (const name of passed) {
    const value = headers.get(name)
    if (value !== null) sent[name] = value
  }
  return sent
}
