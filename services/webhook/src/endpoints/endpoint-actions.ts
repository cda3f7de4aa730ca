import type { Tx } from '@bursar/store'
import { createDelivery, type DeliveryRow } from '../deliveries/deliveries'
import { fail } from '../errors'
import { hasEnded } from '../institutions/institutions'
import { resetTarget } from '../sending/targets'
import { type EndpointRow, storeEndpoint } from './endpoints'
import { overlapMs } from './secrets'

/** Puts a new secret in; the one before signs as well for 24 hours, one from before that no more. */
export async function rotateSecret(tx: Tx, row: EndpointRow, secret: string, now: Date): Promise<EndpointRow> {
  const previousUntil = new Date(now.getTime() + overlapMs)
  const rotated = { ...row, secret, previousSecret: row.secret, previousUntil, updatedAt: now }
  await storeEndpoint(tx, rotated)
  return rotated
}

/** Enables it again, with no memory of earlier failures. What failed meanwhile can be replayed. */
export async function enableEndpoint(tx: Tx, row: EndpointRow, now: Date): Promise<EndpointRow> {
  await resetTarget(tx, row.id, now)
  if (row.status === 'active') return row
  const enabled: EndpointRow = { ...row, status: 'active', updatedAt: now }
  await storeEndpoint(tx, enabled)
  return enabled
}

/** The receiver says that nothing is there any more (410). */
export const disableEndpoint = (tx: Tx, row: EndpointRow, now: Date): Promise<unknown> =>
  storeEndpoint(tx, { ...row, status: 'disabled', updatedAt: now })

/** Sends `webhook.test` to the endpoint, whatever types it takes. Fails (409) when it is disabled, or its institution has ended. */
export async function testEndpoint(tx: Tx, row: EndpointRow, maxRetries: number, now: Date): Promise<DeliveryRow> {
  if (row.status === 'disabled') throw fail('ENDPOINT_DISABLED')
  if (await hasEnded(tx, row.participantId)) throw fail('INSTITUTION_ENDED')
  const requestId = Bun.randomUUIDv7('hex', now.getTime())
  const event = {
    eventId: requestId,
    requestId,
    eventType: 'webhook.test',
    participantId: row.participantId,
    headers: null,
    body: JSON.stringify({
      type: 'webhook.test',
      timestamp: now.toISOString(),
      data: { endpointId: row.id, participantId: row.participantId },
    }),
    maxRetries,
  }
  return await createDelivery(tx, event, { targetId: row.id, endpointId: row.id, url: row.url }, now)
}
