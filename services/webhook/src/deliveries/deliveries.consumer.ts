import { DeliveryRequested, sealedHeaders } from '@bursar/contracts/webhook'
import { type Consumer, consumer, type Seal, SealBrokenError } from '@bursar/http'
import { receive } from '@bursar/store'
import type { WebhookDeps } from '../deps'
import { fanOut } from './fan-out'

/** Consumes delivery requests of other services: the receipt and the deliveries are one commit. */
export const deliveryConsumers = ({ store, schedule, queue, wakes, now, sealFor }: WebhookDeps): Consumer[] => [
  consumer(DeliveryRequested, async (envelope) => {
    const { requestId, eventType, participantId, headers, payload } = envelope.data
    const event = {
      eventId: envelope.id,
      requestId,
      eventType,
      participantId,
      // The event may be older than the newest key, and the delivery outlives the others.
      headers: headers === null ? null : renewed(sealFor(sealedHeaders), headers, requestId),
      body: JSON.stringify(payload),
      maxRetries: schedule.maxRetries,
    }
    await receive(store, envelope, (tx) => fanOut(tx, event, envelope.data, { queue, now: now() }))
    wakes.wake()
  }),
]

/** Sealed by the newest key. What cannot be opened stays as it is: its delivery says so. */
function renewed(seal: Seal, headers: string, requestId: string): string {
  try {
    return seal.renew(headers, requestId) ?? headers
  } catch (error) {
    if (error instanceof SealBrokenError) return headers
    throw error
  }
}
