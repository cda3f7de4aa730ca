import { hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Envelope } from '@bursar/contracts/event'
import type { ServiceName } from '@bursar/contracts/services'
import { unpackEvents } from './packed-events'

/** The data of a job: events as text, and proof that a service of this deployment put them on this queue. */
export interface SignedEvents {
  /** The events' text (packed-events.ts), exactly as it was signed. */
  events: string
  /** HMAC-SHA256 over the queue's name and `events`, base64. */
  mac: string
}

/** Signs the text of events and verifies it, with a key that is derived from the deployment's secret. */
export interface Signer {
  sign(queue: ServiceName, events: string): SignedEvents
  /** The events; null when they are not signed for this queue with this deployment's secret. */
  verify(queue: ServiceName, data: unknown): Envelope[] | null
}

const purpose = 'bursar/bus/job/v1'
const keyBytes = 32

export function createSigner(secret: Uint8Array): Signer {
  const key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), purpose, keyBytes))
  const macOf = (queue: ServiceName, events: string) =>
    new Bun.CryptoHasher('sha256', key).update(queue).update('\0').update(events).digest()
  return {
    sign: (queue, events) => ({ events, mac: macOf(queue, events).toString('base64') }),
    verify(queue, data) {
      if (!isSigned(data)) return null
      const [given, expected] = [Buffer.from(data.mac, 'base64'), macOf(queue, data.events)]
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
      return unpackEvents(data.events)
    },
  }
}

/** A queue may contain anything: everybody who reaches Redis can write there. */
export function isSigned(data: unknown): data is SignedEvents {
  const { events, mac } = (data ?? {}) as Partial<Record<keyof SignedEvents, unknown>>
  return typeof events === 'string' && typeof mac === 'string'
}
