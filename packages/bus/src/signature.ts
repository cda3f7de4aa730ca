import { hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Envelope } from '@bursar/contracts/event'
import { type Secrets, secretsOf } from '@bursar/contracts/secrets'
import { unpackSigned } from './packed-events'

/** The data of a job: events as text, and proof that a service of this deployment put them on this queue. */
export interface SignedEvents {
  /** The events' text (packed-events.ts), exactly as it was signed. */
  events: string
  /** HMAC-SHA256 over the queue's name and `events`, base64. */
  mac: string
}

/** Signs the text of events for a queue, or what instances tell each other for their channel, and verifies it, with a key that is derived from the deployment's secret; verifies also by its former ones. */
export interface Signer {
  sign(queue: string, events: string): SignedEvents
  /** The events; null when they are not signed for this queue with this deployment's secret. */
  verify(queue: string, data: unknown): Envelope[] | null
}

const purpose = 'bursar/bus/job/v1'
const keyBytes = 32

export function createSigner(secret: Uint8Array | Secrets): Signer {
  const secrets = secretsOf(secret)
  const derived = new WeakMap<Uint8Array, Uint8Array>()
  const keyOf = (secret: Uint8Array): Uint8Array =>
    derived.getOrInsertComputed(
      secret,
      () => new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), purpose, keyBytes)),
    )
  const macOf = (secret: Uint8Array, queue: string, events: string) =>
    new Bun.CryptoHasher('sha256', keyOf(secret)).update(queue).update('\0').update(events).digest()
  const isBy = (secret: Uint8Array, queue: string, { events, mac }: SignedEvents) => {
    const [given, expected] = [Buffer.from(mac, 'base64'), macOf(secret, queue, events)]
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
  return {
    sign: (queue, events) => ({
      events,
      mac: macOf(secrets.all()[0] as Uint8Array, queue, events).toString('base64'),
    }),
    verify(queue, data) {
      if (!isSigned(data)) return null
      const isOurs = () => secrets.all().some((secret) => isBy(secret, queue, data))
      // It may be of a secret that was made a moment ago.
      return isOurs() || (secrets.refresh() && isOurs()) ? unpackSigned(data.events) : null
    },
  }
}

/** A queue may contain anything: everybody who reaches Redis can write there. */
export function isSigned(data: unknown): data is SignedEvents {
  const { events, mac } = (data ?? {}) as Partial<Record<keyof SignedEvents, unknown>>
  return typeof events === 'string' && typeof mac === 'string'
}
