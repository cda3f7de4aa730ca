import { DeliveryRequested } from '@bursar/contracts/webhook'
import { emit, type Tx } from '@bursar/store'

/** A delivery to request: `data` becomes the payload `{type, timestamp, data}` (decisions, Sanctions callback). */
export interface Delivery {
  requestId: string
  eventType: 'sanctions.completed' | 'sanctions.failed' | 'sanctions.hit'
  participantId: string | null
  /** The fallback when the participant has no endpoint for it. */
  callbackUrl: string | undefined
  /** Encrypted. */
  headers: string | null
  data: Record<string, unknown>
}

/** Requests a delivery by the webhook service, in this transaction. */
export const requestDelivery = (
  tx: Tx,
  { requestId, eventType, participantId, callbackUrl, headers, data }: Delivery,
  at: Date,
): Promise<unknown> =>
  emit(
    tx,
    DeliveryRequested,
    {
      v: 1,
      requestId,
      eventType,
      participantId,
      fallbackUrl: callbackUrl ?? null,
      headers,
      payload: { type: eventType, timestamp: at.toISOString(), data },
    },
    at,
  )
