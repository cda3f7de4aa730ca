import { fail } from '../errors'

/** Bounds how many requests of one kind a caller may have under way. */
export interface Slots {
  /** Takes one, and returns how to give it back. Fails (429) when the caller has as many as it may. */
  take(caller: string): () => void
}

export function createSlots(most: number, message: string): Slots {
  const taken = new Map<string, number>()
  return {
    take(caller) {
      const count = taken.get(caller) ?? 0
      if (count >= most) {
        throw fail('RATE_LIMITED', {
          message,
          details: { limit: most, remaining: 0, resetAt: null },
          headers: { 'retry-after': '1' },
        })
      }
      taken.set(caller, count + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const rest = (taken.get(caller) ?? 1) - 1
        if (rest > 0) taken.set(caller, rest)
        else taken.delete(caller)
      }
    },
  }
}
