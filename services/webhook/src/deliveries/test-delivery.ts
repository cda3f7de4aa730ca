import type { Tx } from '@bursar/store'
import type { EndpointRow } from '../endpoints/endpoints'
import { fail } from '../errors'
import { hasEnded } from '../institutions/institutions'
import type { Waking } from '../targets/targets'
import { createDelivery, type DeliveryRow } from './deliveries'
import { destinationOf } from './fan-out'

/**
 * Sends `webhook.test` to the endpoint, whatever types it subscribes to. Fails (409) when it is disabled, or its
 * institution has ended.
 */
export async function testEndpoint(tx: Tx, row: EndpointRow, maxRetries: number, waking: Waking): Promise<DeliveryRow> {
  const { now } = waking
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
  return await createDelivery(tx, event, destinationOf(row), waking)
}
