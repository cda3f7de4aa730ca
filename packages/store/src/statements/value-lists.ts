import { param } from './statements'

/** How many values a prepared statement takes in one place: none, a single one, the usual page, larger ones, the largest page. */
const sizes = [0, 1, 10, 25, 100] as const
/** The most values of one list. */
export const mostListed = 100

/** The smallest size that takes them, 0 for none: a form for `variants`. Throws when there are more than 100. */
export function listSize(values: readonly unknown[] = []): number {
  const size = sizes.find((size) => size >= values.length)
  if (size === undefined) throw new Error(`A statement takes at most ${mostListed} values, not ${values.length}`)
  return size
}

/** The placeholders of such a place, for `inArray`. */
export const listParams = (name: string, size: number) => Array.from({ length: size }, (_, i) => param(`${name}${i}`))

/** The values for those placeholders; the ones to spare repeat the first, which finds nothing new. */
export function listValues<V extends string | number>(
  name: string,
  values: readonly V[] = [],
): Record<string, V | undefined> {
  const filled: Record<string, V | undefined> = {}
  const places = placesOf(name)
  const size = listSize(values)
  for (let i = 0; i < size; i++) filled[places[i] as string] = values[i] ?? values[0]
  return filled
}

const places = new Map<string, string[]>()

/** The names of all placeholders of a list, made once: there are a few lists, and a batch fills one at each step. */
function placesOf(name: string): string[] {
  const known = places.get(name)
  if (known) return known
  const all = Array.from({ length: mostListed }, (_, i) => `${name}${i}`)
  places.set(name, all)
  return all
}
