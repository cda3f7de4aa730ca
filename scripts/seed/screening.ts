import { exampleAddress, exampleApiKey, exampleEndpointUrl, exampleNames } from '@bursar/contracts/examples'
import { ask, create, ensure, get, isThere, type Platform, soon } from './platform'

const label = `screening ${exampleNames.screening}`

/** The participant's webhook endpoint, a screening of an address, and the delivery of its result to that endpoint. */
export async function seedScreening(platform: Platform, participantId: string) {
  const endpoint = await seedEndpoint(platform, participantId)
  const known = await knownDelivery(platform, endpoint)
  if (known) isThere(platform, 'sanctions', label)
  const { deliveryId: delivery, requestId: screeningJob } = known ?? (await screenAddress(platform, endpoint))
  return { endpoint, screeningJob, delivery }
}

interface Delivery {
  deliveryId: string
  requestId: string
}

async function seedEndpoint(platform: Platform, participantId: string): Promise<string> {
  const endpoints = await get<{ id: string; url: string }[]>(
    platform,
    'webhook',
    `webhooks/endpoints?participantId=${participantId}`,
  )
  const known = endpoints.find(({ url }) => url === exampleEndpointUrl)
  const label = `endpoint ${exampleEndpointUrl}`
  const body = { participantId, url: exampleEndpointUrl, eventTypes: ['sanctions.completed', 'sanctions.failed'] }
  return await ensure(platform, ['webhook', 'webhooks/endpoints'], label, known, { body })
}

/** Oldest first. */
async function deliveriesTo(platform: Platform, endpoint: string): Promise<Delivery[]> {
  const path = `webhooks/endpoints/${endpoint}/deliveries?limit=200`
  const { deliveries } = await get<{ deliveries: Delivery[] }>(platform, 'webhook', path)
  return deliveries.reverse()
}

/** The delivery of the seeded screening; the endpoint may have others. */
async function knownDelivery(platform: Platform, endpoint: string): Promise<Delivery | undefined> {
  for (const delivery of await deliveriesTo(platform, endpoint)) {
    const route = `GET /sanctions/jobs/${delivery.requestId}` as const
    const { body } = await ask<{ externalId?: string }>(platform, 'sanctions', route, { taken: [404] })
    if (body.externalId === exampleNames.screening) return delivery
  }
  return undefined
}

async function screenAddress(platform: Platform, endpoint: string): Promise<Delivery> {
  await create(platform, ['sanctions', 'sanctions/verify-address'], label, {
    key: 'seed:screening',
    headers: { 'x-api-key': exampleApiKey },
    body: { externalId: exampleNames.screening, address: exampleAddress, blockchain: 'ethereum' },
  })
  return await soon('The delivery of the screening’s result', async () => await knownDelivery(platform, endpoint))
}
