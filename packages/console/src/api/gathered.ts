/**
 * Combines single requests into batch requests: those made before the next turn of the event loop share one, up to `most`
 * of them. Null for what the answer does not have.
 */
export function gathered<T>(
  askMany: (ids: string[]) => Promise<ReadonlyMap<string, T>>,
  most = 100,
): (id: string) => Promise<T | null> {
  let waiting = new Map<string, PromiseWithResolvers<T | null>>()

  function send() {
    const all = [...waiting]
    waiting = new Map()
    for (let from = 0; from < all.length; from += most) {
      const part = all.slice(from, from + most)
      askMany(part.map(([id]) => id)).then(
        (found) => {
          for (const [id, { resolve }] of part) resolve(found.get(id) ?? null)
        },
        (error) => {
          for (const [, { reject }] of part) reject(error)
        },
      )
    }
  }
  return (id) => {
    const known = waiting.get(id)
    if (known) return known.promise
    if (waiting.size === 0) setTimeout(send, 0)
    const asked = Promise.withResolvers<T | null>()
    waiting.set(id, asked)
    return asked.promise
  }
}
