import { type Db, keptKeys } from '@bursar/store'
import { termsBetween } from '../assets/asset-terms'
import { decisionsBetween } from '../decisions/decisions'
import type { Block, Place } from './block-hash'
import { entriesBetween } from './read-journal'

/** Rows beside the entries that one block covers at most of each kind: ledgers from before have many to begin with. */
export const mostBeside = 1000

/** Up to where a block reaches, of each kind of row. */
export type Reach = Pick<Place, 'lastSeq' | 'lastKey' | 'lastDecision' | 'lastAsset'>

/** What stands between one place of the chain and another, at most so many entries, and of the rest one more than a block has. */
export async function readBlock(read: Db, after: Place, upTo: Reach, mostEntries: number): Promise<Block> {
  const most = mostBeside + 1
  return {
    entries: await entriesBetween(read, after.lastSeq, upTo.lastSeq, mostEntries),
    keys: await keptKeys(read, after.lastKey, upTo.lastKey, most),
    decisions: await decisionsBetween(read, after.lastDecision, upTo.lastDecision, most),
    assets: await termsBetween(read, after.lastAsset, upTo.lastAsset, most),
  }
}
