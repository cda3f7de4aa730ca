import type { Ranges } from '../schema/shared.table'

/** The same numbers in the fewest ranges. */
export function merged(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const found: [number, number][] = []
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = found.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else found.push([from, to])
  }
  return found
}

export const rangesOf = (numbers: readonly number[]): [number, number][] =>
  merged(numbers.map((number) => [number, number]))

export const sizeOf = (ranges: Ranges): number => ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)

/** The first numbers, at most `most`, and the rest. */
export function cut(ranges: Ranges, most: number): [taken: Ranges, rest: Ranges] {
  const taken: [number, number][] = []
  const rest: [number, number][] = []
  let room = most
  for (const [from, to] of ranges) {
    const end = Math.min(to, from + room - 1)
    if (end >= from) taken.push([from, end])
    if (end < to) rest.push([Math.max(from, end + 1), to])
    room -= Math.max(0, end - from + 1)
  }
  return [taken, rest]
}
