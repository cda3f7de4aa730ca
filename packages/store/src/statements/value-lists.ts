import { placeInList } from './compiled'
import { param } from './statements'
import { together } from './together'

/**
 * The sizes of value lists in a prepared statement: none, a single one, the usual page, larger ones, a batch, the
 * largest page.
 */
const sizes = [0, 1, 10, 25, 64, 100] as const
/** The most values of one list. */
export const mostListed = 100

/** The smallest size that holds the values, 0 for none: a form for `variants`. Throws for more than 100. */
export function listSize(values: readonly unknown[] = []): number {
  const size = sizes.find((size) => size >= values.length)
  if (size === undefined) throw new Error(`A statement takes at most ${mostListed} values, not ${values.length}`)
  return size
}

/** The placeholders of such a list, for `inArray`. */
export const listParams = (name: string, size: number) =>
  Array.from({ length: size }, (_, i) => param(placeInList(name, i)))

/** The values for those placeholders; spare ones repeat the first, which finds nothing new. */
export function listValues<V extends string | number>(
  name: string,
  values: readonly V[] = [],
): Record<string, readonly V[]> {
  const filled = [...values]
  const [first] = values
  if (first !== undefined) for (let spare = listSize(values) - values.length; spare > 0; spare--) filled.push(first)
  return { [name]: filled }
}

/** Runs something for many values or rows, at most `most` at a time. */
export async function inSeveral<V, R>(values: readonly V[], most: number, run: (some: readonly V[]) => Promise<R[]>) {
  const runs: Promise<R[]>[] = []
  for (let from = 0; from < values.length; from += most) runs.push(run(values.slice(from, from + most)))
  return (await together(...runs)).flat()
}
