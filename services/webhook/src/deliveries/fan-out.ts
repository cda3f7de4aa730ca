import type { DeliveryRequest } from '@bursar/contracts/webhook'
import type { Db, Tx } from '@bursar/store'
import { type EndpointRow, endpointsFor } from '../endpoints/endpoints'
import { hasEnded, institutionEnded } from '../institutions/institutions'
import { fallbackTarget, type Waking } from '../targets/targets'
import { createDelivery, createFailed, type DeliveredEvent, type Destination } from './deliveries'

/** The failure of a delivery without an endpoint (decisions, Sanctions callback). */
const noEndpoint = 'no endpoint'

/** What to do with an event that no endpoint subscribes to. */
type Otherwise = Pick<DeliveryRequest, 'fallbackUrl' | 'endpointsOnly'>

/**
 * Creates an event's deliveries: one for each of the participant's endpoints that subscribe to its type, else one for
 * the fallback URL, else, unless it is for endpoints only, a failed one as its record. For a disabled endpoint the
 * delivery is created as failed, and can be replayed; the same for an institution that was offboarded or deleted.
 */
export async function fanOut(
  tx: Tx,
  event: DeliveredEvent,
  { fallbackUrl, endpointsOnly = false }: Otherwise,
  waking: Waking,
): Promise<void> {
  const { now } = waking
  const endpoints = await endpointsOf(tx, event)
  const isEnded = await hasEnded(tx, event.participantId)
  for (const endpoint of endpoints) {
    if (isEnded) await createFailed(tx, event, destinationOf(endpoint), institutionEnded, now)
    else if (endpoint.status === 'active') await createDelivery(tx, event, destinationOf(endpoint), waking)
    else await createFailed(tx, event, destinationOf(endpoint), 'endpoint disabled', now)
  }
  if (endpoints.length > 0 || endpointsOnly) return
  if (isEnded || fallbackUrl === null) {
    await createFailed(tx, event, null, isEnded ? institutionEnded : noEndpoint, now)
    return
  }
  const targetId = fallbackTarget(fallbackUrl, event.participantId)
  await createDelivery(tx, event, { targetId, endpointId: null, url: fallbackUrl }, waking)
}

/** The endpoints that subscribe to an event. */
export const endpointsOf = async (
  db: Db,
  { participantId, eventType }: Pick<DeliveredEvent, 'participantId' | 'eventType'>,
): Promise<EndpointRow[]> => (participantId === null ? [] : await endpointsFor(db, participantId, eventType))

export const destinationOf = ({ id, url }: EndpointRow): Destination => ({ targetId: id, endpointId: id, url })
