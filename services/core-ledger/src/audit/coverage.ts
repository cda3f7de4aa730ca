// Which rows are sealed. A row in no seal must be one that is listed to be sealed: otherwise it was added past the
// ledger, or its seal will never come.
import { type Db, numbersAfter, type Ranges } from '@bursar/store'
import { type SealedKind, sealedKinds } from '../ledger/sealed-rows'
import type { Place } from '../seals/block-hash'
import { rangesOf } from '../seals/read-block'
import { sealAfter } from '../seals/read-journal'
import { sealedSources, unsealedRows } from '../seals/unsealed-rows'
import { AuditDifference } from './audit-difference'

/** Rows per statement; only their numbers are read. */
const chunkRows = 1000

export type Covered = ReturnType<typeof coverage>

/** The numbers that seals cover, by kind. */
export function coverage() {
  const all = Object.fromEntries(sealedKinds.map((kind) => [kind, []])) as unknown as Record<
    SealedKind,
    [number, number][]
  >
  /** The place of the first range that ends at or after a number. */
  function placeOf(ranges: readonly [number, number][], number: number): number {
    let [low, high] = [0, ranges.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ranges[middle] as [number, number])[1] < number) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    /** False if one of them is already covered. */
    add(kind: SealedKind, ranges: Ranges): boolean {
      const known = all[kind]
      for (const [from, to] of ranges) {
        if (from > to) continue
        const place = placeOf(known, from)
        const next = known[place]
        if (next && next[0] <= to) return false
        const before = known[place - 1]
        // Ranges nearly always follow the last one.
        if (before && before[1] === from - 1) before[1] = to
        else known.splice(place, 0, [from, to])
      }
      return true
    },
    has(kind: SealedKind, number: number): boolean {
      const range = all[kind][placeOf(all[kind], number)]
      return range !== undefined && range[0] <= number
    },
  }
}

const isCovered = (ranges: Ranges, number: number): boolean =>
  ranges.some(([from, to]) => from <= number && number <= to)

/**
 * Checks that each row of a kind is covered, or listed to be sealed. `last` is the last seal among the covered ones.
 * Yields 0 after each chunk. Throws AuditDifference.
 */
export async function* requireListed(
  read: Db,
  kind: SealedKind,
  covered: Covered,
  last: Place,
): AsyncGenerator<number> {
  // From the lowest number possible: the database gives none below 1, but a forger may.
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const numbers = (await numbersOf[kind](read).execute({ after, limit: chunkRows })).map(({ number }) => number)
    const others = numbers.filter((number) => !covered.has(kind, number))
    if (others.length > 0) await requireAllListed(read, kind, others, last)
    yield 0
    if (numbers.length < chunkRows) return
    after = numbers.at(-1) ?? after
  }
}

async function requireAllListed(read: Db, kind: SealedKind, numbers: readonly number[], last: Place): Promise<void> {
  // In this order: rows sealed meanwhile are in the newer seals.
  const listed = (await unsealedRows.waiting(read))[kind]
  let left = numbers.filter((number) => !isCovered(listed, number))
  let previous = last
  for (
    let seal = await sealAfter(read, last.number);
    seal && left.length > 0;
    seal = await sealAfter(read, seal.number)
  ) {
    const ranges = rangesOf(seal, previous)[kind]
    left = left.filter((number) => !isCovered(ranges, number))
    previous = seal
  }
  if (left.length > 0) {
    throw new AuditDifference(
      `Hash chain: number ${left[0]} of the ${words[kind]} is in no seal, and is not listed to be sealed`,
    )
  }
}

/** Checks that each row listed to be sealed exists: nobody deletes one. Throws AuditDifference. */
export async function requireThere(read: Db, kind: SealedKind): Promise<void> {
  for (const [from, to] of (await unsealedRows.waiting(read))[kind]) {
    for (let after = from - 1; after < to; ) {
      const found = await numbersOf[kind](read).execute({ after, limit: chunkRows })
      for (const { number } of found) {
        if (after === to) break
        if (number !== after + 1) throw missing(kind, after + 1)
        after = number
      }
      if (found.length < chunkRows && after < to) throw missing(kind, after + 1)
    }
  }
}

const missing = (kind: SealedKind, number: number) =>
  new AuditDifference(`Number ${number} of the ${words[kind]} is listed to be sealed, and is not there`)

const words = { entries: 'journal', keys: 'idempotency keys', decisions: 'decisions', assets: 'terms of assets' }

const numbersOf = {
  entries: numbersAfter(sealedSources.entries),
  keys: numbersAfter(sealedSources.keys),
  decisions: numbersAfter(sealedSources.decisions),
  assets: numbersAfter(sealedSources.assets),
}
