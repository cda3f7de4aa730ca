import { type Db, keptKeys } from '@bursar/store'
import { termsBetween } from '../assets/asset-terms'
import { decisionsBetween } from '../decisions/decisions'
import type { Block, Place } from './block-hash'
import { entriesBetween } from './read-journal'

/** The most rows of each kind besides entries that one block covers: older ledgers start with many. */
export const mostBeside = 1000

/** The end of a block, for each kind of row. */
export type Reach = Pick<Place, 'lastSeq' | 'lastKey' | 'lastDecision' | 'lastAsset'>

/**
 * The rows between two places of the chain: entries up to the limit, and of the other kinds at most one more than fits
 * into a block.
 */
export async function readBlock(read: Db, after: Place, upTo: Reach, mostEntries: number): Promise<Block> {
  const most = mostBeside + 1
  return {
    entries: await entriesBetween(read, after.lastSeq, upTo.lastSeq, mostEntries),
    keys: await keptKeys(read, after.lastKey, upTo.lastKey, most),
    decisions: await decisionsBetween(read, after.lastDecision, upTo.lastDecision, most),
    assets: await termsBetween(read, after.lastAsset, upTo.lastAsset, most),
  }
}
