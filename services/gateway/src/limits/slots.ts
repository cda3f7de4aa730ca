import { fail } from '../errors'

/** Limits the concurrent requests of one kind, per caller, per institution and in total. */
interface Slots {
  /**
   * Takes a slot, and returns a function that releases it. Fails when the caller, or its institution, has reached its limit
   * (429), or all callers together (503).
   */
  take(caller: string, institution?: string | null): () => void
}

export interface SlotLimits {
  /** The limit per caller. An institution, which may have any number of keys and users, has twice as many. */
  each: number
  /** The limit of all callers together. */
  inAll: number
}

export function createSlots({ each: most, inAll }: SlotLimits, message: string): Slots {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(caller, institution = null) {
      if (all >= inAll) throw fail('SERVICE_UNAVAILABLE', { message, headers: { 'retry-after': '1' } })
      const counted = [{ of: caller, limit: most }]
      if (institution !== null) counted.push({ of: `institution:${institution}`, limit: 2 * most })
      for (const { of, limit } of counted) {
        if ((taken.get(of) ?? 0) < limit) continue
        throw fail('RATE_LIMITED', {
          message,
          details: { limit, remaining: 0, resetAt: null },
          headers: { 'retry-after': '1' },
        })
      }
      for (const { of } of counted) taken.set(of, (taken.get(of) ?? 0) + 1)
      all += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        all -= 1
        for (const { of } of counted) {
          const rest = (taken.get(of) ?? 1) - 1
          if (rest > 0) taken.set(of, rest)
          else taken.delete(of)
        }
      }
    },
  }
}
