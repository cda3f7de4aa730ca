/**
 * Combines single requests into batch requests: those made before the next turn of the event loop share one,
 * up to `most` of them.
 */
export function gathered<T>(
  most: number,
  askMany: (ids: string[]) => Promise<ReadonlyMap<string, T>>,
): (id: string) => Promise<T | undefined> {
  let waiting = new Map<string, PromiseWithResolvers<T | undefined>>()

  function send() {
    const all = [...waiting]
    waiting = new Map()
    for (let from = 0; from < all.length; from += most) {
      const part = all.slice(from, from + most)
      askMany(part.map(([id]) => id)).then(
        (found) => {
          for (const [id, { resolve }] of part) resolve(found.get(id))
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
    const asked = Promise.withResolvers<T | undefined>()
    waiting.set(id, asked)
    return asked.promise
  }
}
