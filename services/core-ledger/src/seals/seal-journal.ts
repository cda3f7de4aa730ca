import type { Log } from '@bursar/contracts/log'
import {
  every,
  type OpenStore,
  param,
  params,
  prepared,
  type Store,
  sizeOf,
  type Tx,
  together,
  type Worker,
} from '@bursar/store'
import { sealedKinds } from '../ledger/sealed-rows'
import { beginning, sealOver } from './block-hash'
import { readBlock } from './read-block'
import { chunkRows, lastSeal } from './read-journal'
import { seals } from './seals.table'
import { unsealedRows } from './unsealed-rows'

const everyMs = 1000
/** The number is computed: a server's sequence has gaps where a commit was rolled back. */
const insertSeal = prepared((db) => db.insert(seals).values({ ...params(seals), number: param('number') }))

/**
 * Seals the next block of rows, in the order in which they were committed, at most one chunk; returns their number. Only one
 * instance seals.
 */
export async function sealBlock(tx: Tx, now: Date): Promise<number> {
  const [ranges, last] = await together(unsealedRows.take(tx, chunkRows), lastSeal(tx))
  const taken = sealedKinds.reduce((sum, kind) => sum + sizeOf(ranges[kind]), 0)
  if (taken === 0) return 0
  const previous = last ?? beginning
  const at = {
    form: 4 as const,
    number: previous.number + 1,
    ranges,
    lastSeq: Math.max(previous.lastSeq, ranges.entries.at(-1)?.[1] ?? 0),
    lastKey: 0,
    lastDecision: 0,
    lastAsset: 0,
    sealedAt: now,
  }
  const block = await readBlock(tx, ranges, taken)
  await insertSeal(tx).execute(sealOver(block, at, previous.hash))
  return taken
}

interface Clocked {
  readonly store: Store
  readonly now: () => Date
}

/** Seals all rows, one commit per block. */
export async function sealJournal({ store, now }: Clocked): Promise<number> {
  let sealed = 0
  for (let block = chunkRows; block === chunkRows; sealed += block)
    block = await store.commit((tx) => sealBlock(tx, now()))
  return sealed
}

/** Seals new rows every second, so that commits that add them do not wait for it. */
export const sealing = ({ store, now, log }: Clocked & { store: OpenStore; log: Log }): Worker =>
  every(everyMs, (own) => sealJournal({ store: own, now }), { log, name: 'The sealing of the journal', alone: store })
