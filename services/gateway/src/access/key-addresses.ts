import type { AppError, Caller } from '@bursar/http'
import { createTimedCache } from '../bounded-cache'
import { fail } from '../errors'
import { countedAddress } from '../front/caller-address'
import { createMemoryBuckets, type Policy } from '../limits/token-bucket'

export type KeyAddresses = ReturnType<typeof createKeyAddresses>

/** An API key in use. */
export interface UsedKey {
  readonly caller: Caller
  /** SHA-256 of the key, hex. */
  readonly hash: string
  readonly isAllowedFrom: (address: string) => boolean
}

/** How the request arrived. */
type Door = 'api' | 'console'

/** A refusal, for the audit trail. */
export interface Refusal {
  readonly error: AppError
  readonly door: Door
}

/** The audit trail is never shortened: nobody with a key must be able to fill it. */
const notedMs = 10 * 60_000
const mostNoted = 10_000
/** Of one key or user: whoever has a /48 of IPv6 comes from 65,536 networks. */
const ofOne: Policy = { name: 'refused addresses', burst: 20, seconds: notedMs / 1000 }

const ofInstitution = 'Your institution may not come from this address'

/**
 * Restricts API keys and institutions to their allowed addresses. Each refused pair of key or user and address is recorded in
 * the audit trail at most once in ten minutes, and of each key or user some twenty; an IPv6 network is one address.
 */
export function createKeyAddresses(
  note: (caller: Caller, from: string, refusal: Refusal) => Promise<void>,
  /** Whether an institution may come from an address. */
  isAllowed: (participantId: string, from: string) => Promise<boolean>,
  now: () => number,
) {
  const noted = createTimedCache<true>(mostNoted, now)
  const notes = createMemoryBuckets(now)

  async function refuse(caller: Caller, who: string, from: string, refusal: Refusal): Promise<never> {
    const pair = `${who} ${countedAddress(from)}`
    if (!noted.get(pair) && notes.take(who, ofOne, 1).granted > 0) {
      noted.set(pair, true, notedMs)
      await note(caller, from, refusal).catch((problem: unknown) => {
        noted.delete(pair)
        notes.giveBack(who, ofOne, 1)
        throw problem
      })
    }
    throw refusal.error
  }

  async function requireOfInstitution(caller: Caller, who: string, from: string, door: Door): Promise<void> {
    const { participantId } = caller
    if (participantId === null || (await isAllowed(participantId, from))) return
    await refuse(caller, who, from, { error: fail('ADDRESS_NOT_ALLOWED', { message: ofInstitution }), door })
  }

  return {
    /** Refuses (403) a key that may not be used from the address, by its own list or its institution's. */
    async require({ caller, hash, isAllowedFrom }: UsedKey, from: string): Promise<void> {
      if (!isAllowedFrom(from)) await refuse(caller, hash, from, { error: fail('ADDRESS_NOT_ALLOWED'), door: 'api' })
      await requireOfInstitution(caller, hash, from, 'api')
    },
    /** The same for a user of an institution; users without one may come from anywhere. */
    requireUser: (user: Caller, from: string, door: Door = 'api'): Promise<void> =>
      requireOfInstitution(user, user.subject, from, door),
  }
}
