import { comparableAddress } from '@bursar/contracts/address'
import type { WatchedAddress } from '@bursar/contracts/blockchain'
import { and, asc, type Db, eq, gt, param, params, prepared, type Tx } from '@bursar/store'
import { watchedSince } from '../restore/watch-again'
import { attempts, senders } from '../sends/sends.table'
import { watchedAddresses } from './transfers.table'

export type WatchedRow = typeof watchedAddresses.$inferSelect

/** Watches an address. One that is watched stays as it is. */
export async function watch(tx: Tx, input: WatchedAddress, now: Date): Promise<WatchedRow> {
  const key = comparableAddress(input.address)
  const [known] = await watchedByKey(tx).execute({ network: input.network, key })
  if (known) return known
  const row: WatchedRow = {
    network: input.network,
    key,
    address: input.address,
    accountId: input.accountId,
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

/** True for an address that belongs to this deployment: it is watched, or has sent. */
export async function isOurs(db: Db, network: string, key: string): Promise<boolean> {
  if (await findWatched(db, network, key)) return true
  const [row] = await senderByKey(db).execute({ network, key })
  return row !== undefined
}

/** True for a transaction that a send of this deployment made. */
export async function isOurTransaction(db: Db, network: string, txHash: string): Promise<boolean> {
  const [row] = await attemptByHash(db).execute({ network, txHash })
  return row !== undefined
}

const watchedByKey = prepared((db) =>
  db
    .select()
    .from(watchedAddresses)
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
const senderByKey = prepared((db) =>
  db
    .select({ address: senders.address })
    .from(senders)
    .where(and(eq(senders.network, param('network')), eq(senders.address, param('key')))),
)
const attemptByHash = prepared((db) =>
  db
    .select({ seq: attempts.seq })
    .from(attempts)
    .where(and(eq(attempts.network, param('network')), eq(attempts.txHash, param('txHash')))),
)
