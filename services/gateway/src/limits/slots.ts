import { fail } from '../errors'

/** Bounds how many requests of one kind a caller, and all callers together, may have under way. */
export interface Slots {
  /**
   * Takes one, and returns how to give it back. Fails when the caller has as many as it may (429), and when all of them
   * together have (503).
   */
  take(caller: string): () => void
}

export interface SlotLimits {
  /** Of one caller. */
  each: number
  /** Of all together. */
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
