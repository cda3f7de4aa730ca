import { fail } from '../errors'

/** Limits the concurrent requests of one kind, per caller and in total. */
export interface Slots {
  /**
   * Takes a slot, and returns a function that releases it. Fails when the caller has reached its limit (429), or all
   * callers together (503).
   */
  take(caller: string): () => void
}

export interface SlotLimits {
  /** The limit per caller. */
  each: number
  /** The limit of all callers together. */
  inAll: number
}

export function createSlots({ each: most, inAll }: SlotLimits, message: string): Slots {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(caller) {
      if (all >= inAll) throw fail('SERVICE_UNAVAILABLE', { message, headers: { 'retry-after': '1' } })
      const count = taken.get(caller) ?? 0
      if (count >= most) {
        throw fail('RATE_LIMITED', {
          message,
          details: { limit: most, remaining: 0, resetAt: null },
          headers: { 'retry-after': '1' },
        })
      }
      taken.set(caller, count + 1)
      all += 1
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        all -= 1
        const rest = (taken.get(caller) ?? 1) - 1
        if (rest > 0) taken.set(caller, rest)
        else taken.delete(caller)
      }
    },
  }
}
