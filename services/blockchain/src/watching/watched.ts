import { setImmediate } from 'node:timers/promises'
import { comparableAddress } from '@bursar/contracts/address'
import type { WatchedAddress } from '@bursar/contracts/blockchain'
import {
  and,
  asc,
  byKey,
  type Db,
  defineList,
  eq,
  gt,
  inChunks,
  insertInto,
  min,
  type OpenStore,
  param,
  prepared,
  remember,
  type Tx,
} from '@bursar/store'
import type { ChainTransfer } from '../networks/network'
import { watchedSince } from './watch-again'
import { watchedAddresses } from './watching.table'

export type WatchedRow = typeof watchedAddresses.$inferSelect

/** Watches an address. A watched one is unchanged, but may become a portfolio's. */
export async function watch(tx: Tx, input: WatchedAddress, now: Date): Promise<WatchedRow> {
  const key = comparableAddress(input.address)
  const [known] = await watchedByKey(tx).execute({ network: input.network, key })
  if (known) {
    if (known.isPortfolio || !input.isPortfolio) return known
    await markPortfolio(tx).execute(known)
    return { ...known, isPortfolio: true }
  }
  const row: WatchedRow = {
    network: input.network,
    key,
    address: input.address,
    accountId: input.accountId,
    isPortfolio: input.isPortfolio ?? false,
    watchedAt: await watchedSince(tx, input.network, now),
  }
  await insertWatched(tx).execute(row)
  return row
}

export async function findWatched(db: Db, network: string, key: string): Promise<WatchedRow | null> {
  const [row] = await watchedByKey(db).execute({ network, key })
  return row ?? null
}

/** All watched addresses of a network, by their comparable form. */
export type Watched = (network: string) => Promise<ReadonlyMap<string, WatchedRow>>

/** More networks than anybody scans. */
const mostNetworks = 64

const rowsPerTurn = 1000

/**
 * Reads the addresses again only when some were written, and others are answered in between: every scan asks for them,
 * and 100,000 take more than half a second.
 */
export const createWatched = (store: OpenStore): Watched =>
  remember(store, { tables: [watchedAddresses], most: mostNetworks }, async (network) => {
    const all = new Map<string, WatchedRow>()
    const read = ({ after, limit }: { after: string; limit: number }) =>
      watchedOf(store.read).execute({ network, after, limit })
    for await (const rows of inChunks(read, { size: rowsPerTurn, start: '', keyOf: ({ key }) => key })) {
      for (const row of rows) all.set(row.key, row)
      if (rows.length === rowsPerTurn) await setImmediate()
    }
    return all
  })

/** The networks on which addresses are watched. */
export async function watchedNetworks(db: Db): Promise<string[]> {
  const networks: string[] = []
  // One at a time, each found by its index: a network may have a million addresses.
  for (let after = ''; ; ) {
    const [next] = await nextWatched(db).execute({ after })
    if (next?.network == null) return networks
    networks.push(next.network)
    after = next.network
  }
}

export async function hasWatched(db: Db, network: string): Promise<boolean> {
  const [row] = await anyWatched(db).execute({ network })
  return row !== undefined
}

/** The addresses that are watched on a network, by their keys. */
export const watchedList = defineList({
  id: watchedAddresses.key,
  rows: (db) => db.select({ id: watchedAddresses.key }).from(watchedAddresses),
  to: ({ id }) => id,
  read: (network: string) => ({ form: {}, values: { network } }),
  where: () => isOfNetwork,
  along: () => isOfNetwork,
  countsAll: true,
})

/** The clocks of networks and ours differ. */
const clockToleranceMs = 10 * 60_000

/** Whether something happened before an address was watched. */
export const isBefore = (at: Date, watchedAt: Date): boolean => at.getTime() < watchedAt.getTime() - clockToleranceMs

/**
 * Corrects times set by a clock that was ahead: no address can be watched since later than the network's newest block.
 * The read blocks came after the address was registered, so it is watched since the first of them.
 */
export async function putRightWatched(
  tx: Tx,
  watched: ReadonlyMap<string, WatchedRow>,
  transfers: readonly ChainTransfer[],
  newest: Date,
): Promise<void> {
  // The first block is written last.
  const all = earlierThan(watched, transfers).sort((one, other) => other.at.getTime() - one.at.getTime())
  for (const { watchedAt, network, key, at } of all) {
    if (isBefore(newest, watchedAt)) await setWatchedAt(tx).execute({ network, key, watchedAt: at })
  }
}

/** Whether some of these came before their addresses were watched, according to the clocks. */
export const areSomeEarlier = (
  watched: ReadonlyMap<string, WatchedRow>,
  transfers: readonly ChainTransfer[],
): boolean => earlierThan(watched, transfers).length > 0

/** The addresses of transfers that arrived before they were watched, with the times. */
function earlierThan(watched: ReadonlyMap<string, WatchedRow>, transfers: readonly ChainTransfer[]) {
  return transfers.flatMap(({ from, to, at }) =>
    [from, to].flatMap((address) => {
      const row = watched.get(comparableAddress(address))
      return row && isBefore(at, row.watchedAt) ? [{ ...row, at }] : []
    }),
  )
}

const isOfNetwork = eq(watchedAddresses.network, param('network'))
const hasKey = eq(watchedAddresses.key, param('key'))
const setWatchedAt = prepared((db) =>
  db
    .update(watchedAddresses)
    .set({ watchedAt: param('watchedAt') })
    .where(and(isOfNetwork, hasKey)),
)
const watchedByKey = byKey(watchedAddresses, 'network', { only: hasKey })
const markPortfolio = prepared((db) =>
  db.update(watchedAddresses).set({ isPortfolio: true }).where(and(isOfNetwork, hasKey)),
)
const insertWatched = insertInto(watchedAddresses)
const watchedOf = prepared((db) =>
  db
    .select()
    .from(watchedAddresses)
    .where(and(isOfNetwork, gt(watchedAddresses.key, param('after'))))
    .orderBy(asc(watchedAddresses.key))
    .limit(param('limit')),
)
const nextWatched = prepared((db) =>
  db
    .select({ network: min(watchedAddresses.network) })
    .from(watchedAddresses)
    .where(gt(watchedAddresses.network, param('after'))),
)
const anyWatched = prepared((db) =>
  db.select({ key: watchedAddresses.key }).from(watchedAddresses).where(isOfNetwork).limit(1),
)
