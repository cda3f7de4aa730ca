import type { Log } from '@bursar/contracts/log'
import { type OpenStore, params, prepared, type Store } from '@bursar/store'
import { blockHash, genesis } from './block-hash'
import { chunkRows, entriesBetween, lastSeal } from './read-journal'
import { seals } from './seals.table'

const everyMs = 1000
const insertSeal = prepared((db) => db.insert(seals).values(params(seals)))

/** Seals the next block of entries, at most one chunk; answers how many it sealed. Not for two at once. */
export async function sealBlock(store: Store, now = new Date()): Promise<number> {
  const previous = await lastSeal(store.read)
  const entries = await entriesBetween(store.read, previous?.lastSeq ?? 0, Number.MAX_SAFE_INTEGER)
  const last = entries.at(-1)
  if (!last) return 0
  const hash = blockHash(previous?.hash ?? genesis)
  for (const entry of entries) hash.add(entry)
  const seal = { lastSeq: last.seq, entries: entries.length, hash: hash.digest(), sealedAt: now }
  await store.commit((tx) => insertSeal(tx).execute(seal))
  return entries.length
}

/** Seals everything there is. */
export async function sealJournal(store: Store): Promise<number> {
  let sealed = 0
  for (let block = chunkRows; block === chunkRows; sealed += block) block = await sealBlock(store)
  return sealed
}

/** Seals new entries every second until the store closes: nobody who writes an entry waits for it. */
export function startSealer(store: OpenStore, log: Log): void {
  let timer: ReturnType<typeof setTimeout>
  let stopped = false
  const wait = () => {
    if (stopped) return
    timer = setTimeout(() => {
      sealJournal(store)
        .catch((error: unknown) => {
          if (!stopped) log.error({ err: error }, 'The journal could not be sealed')
        })
        .finally(wait)
    }, everyMs)
    timer.unref()
  }
  store.onClose(() => {
    stopped = true
    clearTimeout(timer)
  })
  wait()
}
