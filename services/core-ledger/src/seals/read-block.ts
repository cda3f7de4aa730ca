import { type Arrived, type Db, keptKeys, type Ranges } from '@bursar/store'
import { termsBetween } from '../assets/asset-terms'
import { decisionsBetween } from '../decisions/decisions'
import type { SealedKind } from '../ledger/sealed-rows'
import type { Block, Place, Seal } from './block-hash'
import { entriesBetween } from './read-journal'

/** Which rows a seal covers. */
export const rangesOf = (seal: Seal, previous: Place): Arrived<SealedKind> =>
  seal.ranges ?? {
    entries: [[previous.lastSeq + 1, seal.lastSeq]],
    keys: [[previous.lastKey + 1, seal.lastKey]],
    decisions: [[previous.lastDecision + 1, seal.lastDecision]],
    assets: [[previous.lastAsset + 1, seal.lastAsset]],
  }

/** The rows of a block, at most `most` of each kind. */
export async function readBlock(read: Db, ranges: Arrived<SealedKind>, most: number): Promise<Block> {
  return {
    entries: await inRanges(ranges.entries, most, (from, to, limit) => entriesBetween(read, from - 1, to, limit)),
    keys: await inRanges(ranges.keys, most, (from, to, limit) => keptKeys(read, from, to, limit)),
    decisions: await inRanges(ranges.decisions, most, (from, to, limit) => decisionsBetween(read, from, to, limit)),
    assets: await inRanges(ranges.assets, most, (from, to, limit) => termsBetween(read, from, to, limit)),
  }
}

async function inRanges<R>(
  ranges: Ranges,
  most: number,
  read: (from: number, to: number, limit: number) => Promise<R[]>,
): Promise<R[]> {
  const rows: R[] = []
  for (const [from, to] of ranges) {
    if (rows.length < most && from <= to) rows.push(...(await read(from, to, most - rows.length)))
  }
  return rows
}
