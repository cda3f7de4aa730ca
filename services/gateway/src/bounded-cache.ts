/** A cache of at most `most` entries; the oldest is evicted. */
export interface BoundedCache<V> {
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
