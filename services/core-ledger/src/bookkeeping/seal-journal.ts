import type { Log } from '@bursar/contracts/log'
import { every, params, prepared, type Store, type Tx, type Worker } from '@bursar/store'
import { blockHash, genesis } from './block-hash'
import { chunkRows, entriesBetween, lastSeal } from './read-journal'
import { seals } from './seals.table'

const everyMs = 1000
const insertSeal = prepared((db) => db.insert(seals).values(params(seals)))

/** Seals the next block of entries, at most one chunk; answers how many it sealed. */
export async function sealBlock(tx: Tx, now = new Date()): Promise<number> {
  const previous = await lastSeal(tx)
  const entries = await entriesBetween(tx, previous?.lastSeq ?? 0, Number.MAX_SAFE_INTEGER)
  const last = entries.at(-1)
  if (!last) return 0
  const hash = blockHash(previous?.hash ?? genesis)
  for (const entry of entries) hash.add(entry)
  await insertSeal(tx).execute({ lastSeq: last.seq, entries: entries.length, hash: hash.digest(), sealedAt: now })
  return entries.length
}

/** Seals everything there is, a commit for each block. */
export async function sealJournal(store: Store): Promise<number> {
  let sealed = 0
  for (let block = chunkRows; block === chunkRows; sealed += block) block = await store.commit((tx) => sealBlock(tx))
  return sealed
}

/** Seals new entries every second: no commit that writes an entry waits for it. */
export const sealing = ({ store, log }: { store: Store; log: Log }): Worker =>
  every(everyMs, () => sealJournal(store), { log, name: 'The sealing of the journal' })
