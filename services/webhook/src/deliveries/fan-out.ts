import type { DeliveryRequest } from '@bursar/contracts/webhook'
import type { Db, Tx } from '@bursar/store'
import { type EndpointRow, endpointsFor } from '../endpoints/endpoints'
import { hasEnded, institutionEnded } from '../institutions/institutions'
import { fallbackTarget, type Waking } from '../targets/targets'
import { createDelivery, createFailed, type DeliveredEvent, type Destination } from './deliveries'

/** Why a delivery failed that nobody takes (decisions, Sanctions callback). */
export const noEndpoint = 'no endpoint'

/** What becomes of an event that no endpoint takes. */
type Otherwise = Pick<DeliveryRequest, 'fallbackUrl' | 'endpointsOnly'>

/**
 * Makes an event's deliveries: one for each of the participant's endpoints that take its type, else one for the fallback
 * URL, else, unless it is for endpoints only, a failed one as its record. A disabled endpoint's has failed from the
 * start, and can be replayed; so have all of an institution that was offboarded or deleted.
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
  if (isEnded) await createFailed(tx, event, null, institutionEnded, now)
  else if (fallbackUrl === null) await createFailed(tx, event, null, noEndpoint, now)
  else
    await createDelivery(
      tx,
      event,
      { targetId: fallbackTarget(fallbackUrl), endpointId: null, url: fallbackUrl },
      waking,
    )
}

/** The endpoints that take an event. */
export const endpointsOf = async (
  db: Db,
  { participantId, eventType }: Pick<DeliveredEvent, 'participantId' | 'eventType'>,
): Promise<EndpointRow[]> => (participantId === null ? [] : await endpointsFor(db, participantId, eventType))

export const destinationOf = ({ id, url }: EndpointRow): Destination => ({ targetId: id, endpointId: id, url })
