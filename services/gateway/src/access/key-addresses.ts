import type { AppError, Caller } from '@bursar/http'
import { createBoundedCache } from '../bounded-cache'
import { fail } from '../errors'

/** Holds API keys to the addresses that they may be used from. */
export interface KeyAddresses {
  /** Refuses (403) a key that may not be used from the address; the audit trail has it. */
  require(key: UsedKey, from: string): Promise<void>
}

/** An API key that is used. */
export interface UsedKey {
  readonly caller: Caller
  /** SHA-256 of the key, hex. */
  readonly hash: string
  readonly isAllowedFrom: (address: string) => boolean
}

/** Records a refusal. */
export type NoteRefusal = (caller: Caller, from: string, error: AppError) => Promise<void>

/** The audit trail is never cut: whoever has a key must not be able to fill it. */
const notedMs = 10 * 60_000
const mostNoted = 10_000

/** Each refused pair of key and address is noted once in ten minutes. */
export function createKeyAddresses(note: NoteRefusal, now: () => number): KeyAddresses {
  const noted = createBoundedCache<number>(mostNoted)
  return {
    async require({ caller, hash, isAllowedFrom }, from) {
      if (isAllowedFrom(from)) return
      const error = fail('ADDRESS_NOT_ALLOWED')
      const pair = `${hash} ${from}`
      if (now() - (noted.get(pair) ?? Number.NEGATIVE_INFINITY) > notedMs) {
        noted.set(pair, now())
        await note(caller, from, error)
      }
      throw error
    },
  }
}
