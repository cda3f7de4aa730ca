import { AppError } from '../errors/errors'

/**
 * The results of the work for every item, in the order of the items; at most `limit` are worked on at once. When one fails
 * no more are begun, those under way are awaited, and an error is thrown: an AppError, which no repeat would change,
 * before any other.
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
