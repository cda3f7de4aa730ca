import { AppError } from '@bursar/http'

const lanes = 8

/**
 * Does the work of every item, a few at a time. When one fails no more are begun, those under way are waited for, and
 * its error is thrown: one that is final (AppError) before one that is not.
 */
export async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const errors: unknown[] = []
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined && errors.length === 0; item = waiting.shift()) {
      await work(item).catch((error: unknown) => errors.push(error))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  if (errors.length > 0) throw errors.find((error) => error instanceof AppError) ?? errors[0]
}
