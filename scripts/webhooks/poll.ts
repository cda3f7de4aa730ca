import type { Bursar } from '@bursar/client'
import { Webhook } from 'standardwebhooks'

interface Settings {
  bursar: Bursar
  /** The endpoint whose deliveries are passed on, and its secret. */
  endpointId: string
  secret: string
  /** The program that gets them. */
  to: string
  say: (line: string) => unknown
  signal: AbortSignal
}

const pauseMs = 1000
/** So many known deliveries in a row, newest first, end a look: one that was recorded late is among them. */
const knownInRow = 100

/**
 * Passes on an endpoint's deliveries as they are recorded, signed by its secret: for machines that the platform cannot
 * reach. What was recorded before is not passed on. Ends with the signal.
 */
export async function pollDeliveries({ bursar, endpointId, secret, to, say, signal }: Settings): Promise<void> {
  const known = new Set<string>()
  const webhook = new Webhook(secret)

  /** The deliveries that were not known, oldest first. */
  async function look(): Promise<string[]> {
    const found: string[] = []
    let inRow = 0
    const params = { query: { endpointId } }
    for await (const { deliveryId } of bursar.list('/webhook/v1/webhooks/deliveries', { params, signal })) {
      inRow = known.has(deliveryId) ? inRow + 1 : 0
      if (!known.has(deliveryId)) found.push(deliveryId)
      if (inRow === knownInRow) break
    }
    for (const id of found) known.add(id)
    return found.reverse()
  }

  async function passOn(deliveryId: string): Promise<void> {
    const path = '/webhook/v1/webhooks/deliveries/{deliveryId}'
    const { body, eventType } = await bursar.get(path, { params: { path: { deliveryId } }, signal })
    const at = new Date()
    const headers = {
      'content-type': 'application/json',
      'webhook-id': deliveryId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': webhook.sign(deliveryId, at, body),
    }
    const answer = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal }).catch(() => null)
    say(`${at.toISOString()}  ${eventType}  ${deliveryId}  ${answer?.status ?? `no answer from ${to}`}`)
  }

  try {
    await look()
    say(`Deliveries of endpoint ${endpointId} go to ${to}`)
    while (!signal.aborted) {
      for (const id of await look()) await passOn(id)
      await Bun.sleep(pauseMs)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
