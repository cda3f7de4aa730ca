import { type DeliveryRequest, DeliveryRequested } from '@bursar/contracts/webhook'
import { emit, type Tx } from '@bursar/store'

/** A delivery to request: `data` becomes the payload `{type, timestamp, data}` (decisions, Sanctions callback). */
interface Delivery extends Pick<DeliveryRequest, 'requestId' | 'participantId' | 'headers'> {
  eventType: 'sanctions.completed' | 'sanctions.failed' | 'sanctions.hit'
  /** The fallback when the participant has no endpoint for it. */
  callbackUrl: string | undefined
  data: Record<string, unknown>
}

/** Requests a delivery by the webhook service, in this transaction. */
export function requestDelivery(tx: Tx, { callbackUrl, data, ...delivery }: Delivery, at: Date): Promise<unknown> {
  const payload = { type: delivery.eventType, timestamp: at.toISOString(), data }
  return emit(tx, DeliveryRequested, { v: 1, ...delivery, fallbackUrl: callbackUrl ?? null, payload }, at)
}
