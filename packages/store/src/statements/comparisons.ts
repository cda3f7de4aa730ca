import { is, Placeholder, sql } from 'drizzle-orm'
import { dialect } from '../config'
import { isPlaceInList } from './compiled'

/**
 * Drizzle runs a placeholder through its column's encoder where it is written (`values`, `set`), but not where it is
 * compared (`eq`, `lt`, …): there a date cannot be bound at all, and a bigint loses what 64 bits do not hold.
 */
export function encodeComparisons(params: unknown[]): void {
  for (const [place, value] of params.entries()) {
    // Lists hold only texts and numbers, which need no encoding.
    if (is(value, Placeholder) && !isPlaceInList(value.name))
      params[place] = sql.param(value, { mapToDriverValue: encode })
  }
}

/** Encodes a value as its column type (schema/columns.ts) stores it. */
function encode(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'boolean' && dialect === 'sqlite') return value ? 1 : 0
  return value
}
