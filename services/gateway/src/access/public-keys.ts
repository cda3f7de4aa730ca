import { getPublicKeys } from '@bursar/contracts/identity-manager'
import { type Client, createSingleFlight } from '@bursar/http'
import { type CryptoKey, importJWK } from 'jose'
import { fail } from '../errors'

export type PublicKeys = ReturnType<typeof createPublicKeys>

/** Limits the requests caused by tokens with unknown keys. */
const pauseMs = 3000

/** The keys that verify access tokens. They are fetched for an unknown kid, too. */
export function createPublicKeys(client: Client, now: () => number) {
  let keys = new Map<string, CryptoKey>()
  let askedAt = Number.NEGATIVE_INFINITY
  let asked = 0
  const once = createSingleFlight<void>()

  async function ask(): Promise<void> {
    asked += 1
    const answer = await client.call(getPublicKeys)
    const imported = await Promise.all(
      answer.keys.map(async (key) => [key.kid, await importJWK(key, key.alg)] as const),
    )
    keys = new Map(imported.filter((entry): entry is [string, CryptoKey] => !(entry[1] instanceof Uint8Array)))
  }

  /** Reads the keys again. Rejects with CallError, keeping the known ones, when the identity manager is unreachable. */
  const refresh = (): Promise<void> => once('keys', ask)

  return {
    refresh,
    /** Whether the kid was among the keys last read: tokens of a dropped key are invalid. */
    has: (kid: string): boolean => keys.has(kid),
    /** Null when the identity manager knows none. Fails (503) when no keys are known and it is unreachable. */
    async find(kid: string): Promise<CryptoKey | null> {
      const known = keys.get(kid)
      if (known) return known
      if (Math.abs(now() - askedAt) < pauseMs) return null
      try {
        const before = asked
        await refresh()
        // One that was under way may have begun before the key was published.
        if (asked === before) await refresh()
      } catch (cause) {
        if (keys.size === 0) throw fail('SERVICE_UNAVAILABLE', { message: noKeys, cause })
        // Continues with the known keys, and does not retry sooner.
      }
      askedAt = now()
      return keys.get(kid) ?? null
    },
  }
}

const noKeys = 'Access tokens cannot be verified: the identity manager cannot be reached'
