import type { Log } from '@bursar/contracts/log'
import { every, keptKeys, params, prepared, type Store, type Tx, type Worker } from '@bursar/store'
import { genesis, sealOver } from './block-hash'
import { chunkRows, entriesBetween, lastSeal } from './read-journal'
import { seals } from './seals.table'

const everyMs = 1000
/** Idempotency keys of one block at most: a block of entries comes with fewer, but stored ledgers have many to begin with. */
export const mostKeys = 1000
const insertSeal = prepared((db) => db.insert(seals).values(params(seals)))

/**
 * Seals the next block of entries, at most one chunk, with the keys that were kept by now; answers how many entries it
 * sealed. One process alone seals: the store holds a lock on its file (openStore), and one commit runs at a time.
 */
export async function sealBlock(tx: Tx, now = new Date()): Promise<number> {
  const previous = await lastSeal(tx)
  const entries = await entriesBetween(tx, previous?.lastSeq ?? 0, Number.MAX_SAFE_INTEGER)
  if (entries.length === 0) return 0
  const lastKey = previous?.lastKey ?? 0
  const keys = await keptKeys(tx, lastKey, Number.MAX_SAFE_INTEGER, mostKeys)
  const at = {
    form: 2 as const,
    number: (previous?.number ?? 0) + 1,
    lastKey: keys.at(-1)?.place ?? lastKey,
    sealedAt: now,
  }
  await insertSeal(tx).execute(sealOver({ entries, keys }, at, previous?.hash ?? genesis))
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
