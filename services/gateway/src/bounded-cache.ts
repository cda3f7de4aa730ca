import { createSingleFlight } from '@bursar/http'

/** A cache of at most `most` entries; the oldest is evicted. */
interface BoundedCache<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
}

export function createBoundedCache<V>(most: number): BoundedCache<V> {
  const known = new Map<string, V>()
  return {
    get: (key) => known.get(key),
    delete: (key) => void known.delete(key),
    set(key, value) {
      if (known.size >= most && !known.has(key)) {
        const [oldest] = known.keys()
        if (oldest !== undefined) known.delete(oldest)
      }
      known.set(key, value)
    },
  }
}

/** A cache whose entries expire. */
interface TimedCache<V> extends Pick<BoundedCache<V>, 'get' | 'delete'> {
  set(key: string, value: V, keptMs: number): void
}

/** An entry dated in the future was made by a clock that was ahead, and would stay valid too long. */
export function createTimedCache<V>(most: number, now: () => number): TimedCache<V> {
  const known = createBoundedCache<{ value: V; at: number; keptMs: number }>(most)
  return {
    delete: known.delete,
    get(key) {
      const entry = known.get(key)
      const ageMs = entry ? now() - entry.at : 0
      return entry && ageMs >= 0 && ageMs < entry.keptMs ? entry.value : undefined
    },
    set: (key, value, keptMs) => known.set(key, { value, at: now(), keptMs }),
  }
}

/** Asks for the values of keys, and caches each for as long as `keptMs` says. Those who ask at the same time share one answer. */
export function createLookUp<V>(
  ask: (key: string) => Promise<V>,
  { most, now, keptMs }: { most: number; now: () => number; keptMs: (value: V) => number },
): (key: string) => Promise<V> {
  const found = createTimedCache<{ value: V }>(most, now)
  const once = createSingleFlight<V>()
  return async (key) => {
    const known = found.get(key)
    if (known) return known.value
    return await once(key, async () => {
      const value = await ask(key)
      found.set(key, { value }, keptMs(value))
      return value
    })
  }
}
