import { comparableAddress } from '@bursar/contracts/address'
import type { WatchedAddress } from '@bursar/contracts/blockchain'
import { and, asc, type Db, eq, gt, param, params, prepared, type Tx } from '@bursar/store'
import { watchedSince } from '../restore/watch-again'
import { watchedAddresses } from './transfers.table'

export type WatchedRow = typeof watchedAddresses.$inferSelect

/** Watches an address. One that is watched stays as it is, but may turn out to be a portfolio's. */
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
export async function readWatched(db: Db, network: string): Promise<Map<string, WatchedRow>> {
  const rows = await watchedOf(db).execute({ network, after: '' })
  return new Map(rows.map((row) => [row.key, row]))
}

/** The networks on which addresses are watched. */
export async function watchedNetworks(db: Db): Promise<string[]> {
  return (await networksWatched(db).execute()).map(({ network }) => network)
}

export async function hasWatched(db: Db, network: string): Promise<boolean> {
  const [row] = await anyWatched(db).execute({ network })
  return row !== undefined
}

/** The clocks of networks and ours differ. */
const clockToleranceMs = 10 * 60_000

/** Whether something happened before an address was watched. */
export const isBefore = (at: Date, watchedAt: Date): boolean => at.getTime() < watchedAt.getTime() - clockToleranceMs

const watchedByKey = prepared((db) =>
  db
    .select()
    .from(watchedAddresses)
    .where(and(eq(watchedAddresses.network, param('network')), eq(watchedAddresses.key, param('key')))),
)
const markPortfolio = prepared((db) =>
  db
    .update(watchedAddresses)
    .set({ isPortfolio: true })
    .where(and(eq(watchedAddresses.network, param('network')), eq(watchedAddresses.key, param('key')))),
)
const insertWatched = prepared((db) => db.insert(watchedAddresses).values(params(watchedAddresses)))
const watchedOf = prepared((db) =>
  db
    .select()
    .from(watchedAddresses)
    .where(and(eq(watchedAddresses.network, param('network')), gt(watchedAddresses.key, param('after'))))
    .orderBy(asc(watchedAddresses.key)),
)
const networksWatched = prepared((db) =>
  db.selectDistinct({ network: watchedAddresses.network }).from(watchedAddresses),
)
const anyWatched = prepared((db) =>
  db
    .select({ key: watchedAddresses.key })
    .from(watchedAddresses)
    .where(eq(watchedAddresses.network, param('network')))
    .limit(1),
)
