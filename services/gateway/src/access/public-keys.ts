import { getPublicKeys } from '@bursar/contracts/identity-manager'
import { type Client, createSingleFlight } from '@bursar/http'
import { type CryptoKey, importJWK } from 'jose'
import { fail } from '../errors'

/** The keys that access tokens are verified with. */
export interface PublicKeys {
  /** The key of a kid; null when the identity manager knows none. Fails (503) when no keys are known and it is away. */
  find(kid: string): Promise<CryptoKey | null>
  /** Whether the kid was among the keys when they were read last: one that was dropped signs nothing any more. */
  has(kid: string): boolean
  /** Reads them anew. Rejects with CallError, and keeps what it has, when the identity manager cannot be asked. */
  refresh(): Promise<void>
}

/** Tokens of unknown keys cannot make it ask more often. */
const pauseMs = 3000

/** Asks the identity manager for a kid that it did not know when it was asked last, besides each `refresh`. */
export function createPublicKeys(client: Client, now: () => number = Date.now): PublicKeys {
  let keys = new Map<string, CryptoKey>()
  let askedAt = Number.NEGATIVE_INFINITY
  const once = createSingleFlight<void>()

  async function ask(): Promise<void> {
    const answer = await client.call(getPublicKeys)
    const imported = await Promise.all(
      answer.keys.map(async (key) => [key.kid, await importJWK(key, key.alg)] as const),
    )
    keys = new Map(imported.filter((entry): entry is [string, CryptoKey] => !(entry[1] instanceof Uint8Array)))
  }

  const refresh = (): Promise<void> => once('keys', ask)

  return {
    refresh,
    has: (kid) => keys.has(kid),
    async find(kid) {
      const known = keys.get(kid)
      if (known) return known
      if (now() - askedAt < pauseMs) return null
      try {
        await refresh()
      } catch (cause) {
        if (keys.size === 0) throw fail('SERVICE_UNAVAILABLE', { message: noKeys, cause })
        // It goes on with what it has, and asks no more often than otherwise.
      }
      askedAt = now()
      return keys.get(kid) ?? null
    },
  }
}

const noKeys = 'Access tokens cannot be verified: the identity manager cannot be reached'
