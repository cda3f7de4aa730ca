import { param } from '@bursar/store'
import type { Placeholder } from 'drizzle-orm'

/**
 * How many ids a prepared statement takes at once: one record, the usual page, larger ones, the largest. Two for one
 * record, because SQLite makes `= ?` of a list of one, and plans that anew at every run.
 */
const sizes = [2, 10, 25, 100] as const

/** The smallest statement that takes so many ids; at most 100, a page's maximum. */
export const sizeFor = (ids: readonly string[]): number => sizes.find((size) => size >= ids.length) ?? 100

/** The placeholders of a statement of that size. */
export const idParams = (size: number): Placeholder[] => Array.from({ length: size }, (_, i) => param(`id${i}`))

/** The ids as values for those placeholders; the ones to spare repeat the first, which finds nothing new. */
export function idValues(ids: readonly string[]): Record<string, string | undefined> {
  const values: Record<string, string | undefined> = {}
  for (let i = 0; i < sizeFor(ids); i++) values[`id${i}`] = ids[i] ?? ids[0]
  return values
}
