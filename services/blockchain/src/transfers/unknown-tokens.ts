import { comparableAddress } from '@bursar/contracts/address'
import { and, type Db, eq, gt, inArray, isNull, min, param, prepared, queryAmong, sql } from '@bursar/store'
import { movements } from '../movements/movements.table'
import { watchedAddresses } from '../watching/watching.table'
import { transfers } from './transfers.table'

/** The maximum per address, since anybody can send worthless tokens. */
const most = 50

/**
 * The contracts of unregistered tokens that were received at watched addresses, by their comparable form. Each is found by
 * itself in an index: there may be a million transfers of one.
 */
export async function unknownTokensAt(
  db: Db,
  network: string,
  addresses: readonly string[],
): Promise<Map<string, string[]>> {
  const keys = [...new Set(addresses.map(comparableAddress))]
  const found = new Map(keys.map((key): [string, string[]] => [key, []]))
  for (const { key, address, received, moved } of await firstOnes(db, keys, { network })) {
    const contracts = [
      ...(await contractsFrom(received, (after) => nextReceived(db).execute({ network, key, after }))),
      ...(await contractsFrom(moved, (after) => nextMoved(db).execute({ network, address, after }))),
    ]
    found.set(key, [...new Set(contracts)].slice(0, most))
  }
  return found
}

type Found = { contractAddress: string | null }[]

/** The first, and those behind it in their order. */
async function contractsFrom(first: string | null, next: (after: string) => Promise<Found>): Promise<string[]> {
  const found: string[] = []
  for (let each = first; each !== null && found.length < most; ) {
    found.push(each)
    each = (await next(each))[0]?.contractAddress ?? null
  }
  return found
}

// Each must equal the condition of its partial index.
const isReceived = sql`${transfers.status} = 'unknown_token'`
const isMoved = and(isNull(movements.confirmedAt), isNull(movements.decimals))

const firstOfReceived = (db: Db) =>
  db
    .select({ contractAddress: min(transfers.contractAddress) })
    .from(transfers)
    .where(and(eq(transfers.network, watchedAddresses.network), isReceived, eq(transfers.toKey, watchedAddresses.key)))
const firstOfMoved = (db: Db) =>
  db
    .select({ contractAddress: min(movements.contractAddress) })
    .from(movements)
    .where(
      and(eq(movements.network, watchedAddresses.network), isMoved, eq(movements.address, watchedAddresses.address)),
    )
const firstOnes = queryAmong(
  (keys) => (db) =>
    db
      .select({
        key: watchedAddresses.key,
        address: watchedAddresses.address,
        received: sql<string | null>`${firstOfReceived(db)}`,
        moved: sql<string | null>`${firstOfMoved(db)}`,
      })
      .from(watchedAddresses)
      .where(and(eq(watchedAddresses.network, param('network')), inArray(watchedAddresses.key, keys))),
)
/** Reads of the next contract behind another one. */
export const nextReads = {
  received: (db: Db) =>
    db
      .select({ contractAddress: min(transfers.contractAddress) })
      .from(transfers)
      .where(
        and(
          eq(transfers.network, param('network')),
          isReceived,
          eq(transfers.toKey, param('key')),
          gt(transfers.contractAddress, param('after')),
        ),
      ),
  moved: (db: Db) =>
    db
      .select({ contractAddress: min(movements.contractAddress) })
      .from(movements)
      .where(
        and(
          eq(movements.network, param('network')),
          isMoved,
          eq(movements.address, param('address')),
          gt(movements.contractAddress, param('after')),
        ),
      ),
}
const nextReceived = prepared(nextReads.received)
const nextMoved = prepared(nextReads.moved)
