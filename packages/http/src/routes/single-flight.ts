/** Does the work of a key once for all who want it at the same time; each gets the same result, or the same error. */
export type SingleFlight<T> = (key: string, work: () => Promise<T>) => Promise<T>

/** Nothing is kept: who comes after the work has ended starts it anew. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const underWay = new Map<string, Promise<T>>()
  return (key, work) => {
    const known = underWay.get(key)
    if (known) return known
    const started = work().finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }
}
