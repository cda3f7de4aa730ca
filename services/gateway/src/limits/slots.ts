import { fail } from '../errors'

export interface SlotLimits {
  /** The limit per caller. An institution, which may have any number of keys and users, has twice as many. */
  each: number
  /** The limit of all callers together. */
  inAll: number
}

/** How long a slot is its holder's while others want one. */
const longMs = 30_000

interface Held {
  readonly since: number
  readonly end: (() => void) | null
}

/** Limits the concurrent requests of one kind, per caller, per institution and in total. */
export function createSlots({ each: most, inAll }: SlotLimits, message: string, now: () => number) {
  const taken = new Map<string, number>()
  /** The oldest first. */
  const held = new Set<Held>()
  return {
    /**
     * Takes a slot, and returns a function that releases it. Fails when the caller, or its institution, has reached its
     * limit (429), or all callers together (503). With `stop` a later request may take it over once it was held for long.
     */
    take(caller: string, institution: string | null = null, stop?: () => void): () => void {
      const late = held.size < inAll ? undefined : [...held].find(({ since, end }) => end && now() - since >= longMs)
      if (held.size >= inAll && !late) throw fail('SERVICE_UNAVAILABLE', { message, headers: { 'retry-after': '1' } })
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
      late?.end?.()
      for (const { of } of counted) taken.set(of, (taken.get(of) ?? 0) + 1)
      const release = () => {
        if (!held.delete(slot)) return
        for (const { of } of counted) {
          const rest = (taken.get(of) ?? 1) - 1
          if (rest > 0) taken.set(of, rest)
          else taken.delete(of)
        }
      }
      const end = () => {
        release()
        stop?.()
      }
      const slot: Held = { since: now(), end: stop ? end : null }
      held.add(slot)
      return release
    },
  }
}
