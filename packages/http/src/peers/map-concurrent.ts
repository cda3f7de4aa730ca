import { AppError } from '../errors/errors'

/**
 * The results for all items, in their order; at most `limit` items are worked on concurrently. After a failure no more
 * are begun, running ones are awaited, and an error is thrown: preferably an AppError, which no repeat would change.
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const errors: unknown[] = []
  const waiting = items.entries()
  const lane = async () => {
    for (const [i, item] of waiting) {
      try {
        results[i] = await work(item)
      } catch (error) {
        errors.push(error)
      }
      if (errors.length > 0) return
    }
  }
  await Promise.all(Array.from({ length: limit }, lane))
  if (errors.length > 0) throw errors.find((error) => error instanceof AppError) ?? errors[0]
  return results
}
