import type { Log } from '@bursar/contracts/log'
import { every, insertInto, type Store, type Tx, type Worker } from '@bursar/store'
import { beginning, sealOver } from './block-hash'
import { mostBeside, readBlock } from './read-block'
import { chunkRows, lastSeal } from './read-journal'
import { seals } from './seals.table'

const everyMs = 1000
const insertSeal = insertInto(seals)
const all = Number.MAX_SAFE_INTEGER
const toTheEnd = { lastSeq: all, lastKey: all, lastDecision: all, lastAsset: all }

/**
 * Seals the next block of entries, at most one chunk, with the other sealed rows so far; returns the number of entries.
 * Only one process seals: the store locks its file (openStore), and commits run one at a time.
 */
export async function sealBlock(tx: Tx, now: Date): Promise<number> {
  const previous = (await lastSeal(tx)) ?? beginning
  const found = await readBlock(tx, previous, toTheEnd, chunkRows)
  const { entries } = found
  if (entries.length === 0) return 0
  const [keys, decisions, assets] = [first(found.keys), first(found.decisions), first(found.assets)]
  const at = {
    form: 3 as const,
    number: previous.number + 1,
    lastKey: keys.at(-1)?.place ?? previous.lastKey,
    lastDecision: decisions.at(-1)?.place ?? previous.lastDecision,
    lastAsset: assets.at(-1)?.seq ?? previous.lastAsset,
    sealedAt: now,
  }
  await insertSeal(tx).execute(sealOver({ entries, keys, decisions, assets }, at, previous.hash))
  return entries.length
}

const first = <T>(rows: readonly T[]): readonly T[] => rows.slice(0, mostBeside)

interface Clocked {
  readonly store: Store
  readonly now: () => Date
}

/** Seals all entries, one commit per block. */
export async function sealJournal({ store, now }: Clocked): Promise<number> {
  let sealed = 0
  for (let block = chunkRows; block === chunkRows; sealed += block)
    block = await store.commit((tx) => sealBlock(tx, now()))
  return sealed
}

/** Seals new entries every second, so that commits that write entries do not wait for it. */
export const sealing = (deps: Clocked & { log: Log }): Worker =>
  every(everyMs, () => sealJournal(deps), { log: deps.log, name: 'The sealing of the journal' })
