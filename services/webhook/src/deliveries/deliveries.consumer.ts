import { DeliveryRequested } from '@bursar/contracts/webhook'
import { type Consumer, consumer } from '@bursar/http'
import { receive } from '@bursar/store'
import type { WebhookDeps } from '../deps'
import { fanOut } from './fan-out'

/** Consumes delivery requests of other services: the receipt and the deliveries are one commit. */
export const deliveryConsumers = ({ store, schedule, queue, wakes, now }: WebhookDeps): Consumer[] => [
  consumer(DeliveryRequested, async (envelope) => {
    const { requestId, eventType, participantId, headers, payload } = envelope.data
    const event = {
      eventId: envelope.id,
      requestId,
      eventType,
      participantId,
      headers,
      body: JSON.stringify(payload),
      maxRetries: schedule.maxRetries,
    }
    await receive(store, envelope, (tx) => fanOut(tx, event, envelope.data, { queue, now: now() }))
    wakes.wake()
  }),
]
