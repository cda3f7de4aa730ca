/** Runs the work of a key once for simultaneous callers; all get the same result or error. */
export type SingleFlight<T> = (key: string, work: () => Promise<T>) => Promise<T>

/** Nothing is cached: a caller after the end of the work starts it again. */
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
