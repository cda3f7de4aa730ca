import { webhookEvents } from '@bursar/contracts/webhook-events'
import { newId, type Tx } from '@bursar/store'
import type { EndpointRow } from '../endpoints/endpoints'
import { fail } from '../errors'
import { hasEnded } from '../institutions/institutions'
import type { Waking } from '../targets/targets'
import { createDelivery, type DeliveryRow } from './deliveries'
import { destinationOf } from './fan-out'

/**
 * Sends the example of an event type to the endpoint, whatever types it subscribes to. Fails (409) when it is disabled, or
 * its institution has ended.
 */
export async function testEndpoint(
  tx: Tx,
  row: EndpointRow,
  { eventType = 'webhook.test', maxRetries }: { eventType: string | undefined; maxRetries: number },
  waking: Waking,
): Promise<DeliveryRow> {
  const { now } = waking
  if (row.status === 'disabled') throw fail('ENDPOINT_DISABLED')
  if (await hasEnded(tx, row.participantId)) throw fail('INSTITUTION_ENDED')
  const requestId = newId(now)
  const event = {
    eventId: requestId,
    requestId,
    eventType,
    participantId: row.participantId,
    headers: null,
    body: JSON.stringify(testBody(eventType, row, now)),
    maxRetries,
  }
  return await createDelivery(tx, event, destinationOf(row), waking)
}

/** An example is marked as a test: its receiver might act on it. */
function testBody(eventType: string, { id, participantId }: EndpointRow, now: Date): object {
  const timestamp = now.toISOString()
  if (eventType === 'webhook.test') return { type: eventType, timestamp, data: { endpointId: id, participantId } }
  const { example } = webhookEvents.find(({ type }) => type === eventType) ?? {}
  return { ...example, timestamp, test: true }
}
