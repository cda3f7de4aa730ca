import {
  and,
  asc,
  byKey,
  type Db,
  eq,
  gt,
  isNotNull,
  isNull,
  param,
  prepared,
  rowBy,
  type SQL,
  sql,
  type Tx,
  variants,
} from '@bursar/store'
import { hasNoCover, isCovered } from '../decisions/decisions'
import { fail } from '../errors'
import { normalHash, normalNetwork } from '../networks/networks'
import { movements } from './movements.table'

export type Movement = typeof movements.$inferSelect

/** The place of a movement on a chain. */
export interface Place {
  network: string
  txHash: string
  place: string
}
export const movementId = ({ network, txHash, place }: Place): string =>
  `${normalNetwork(network)} ${normalHash(network, txHash)} ${place}`

/** The movement at a place (its first part if it is divided); undefined if there is none. */
export const findMovement = (db: Db, place: Place): Promise<Movement | undefined> => movementById(db, movementId(place))

/** The movements of a transaction that wait to be posted for an account. */
export async function unbookedOf(
  db: Db,
  accountId: string,
  { network, txHash }: Omit<Place, 'place'>,
): Promise<Movement[]> {
  const hash = normalHash(network, txHash)
  const rows = await unbooked(db).execute({ accountId })
  return rows.filter((row) => row.network === normalNetwork(network) && row.txHash === hash)
}

export const movementById = rowBy(movements, 'id')

/** The amount of an account's asset that has left on the chain, but is not posted. */
export const uncoveredOf = (tx: Tx, accountId: string, assetId: string): Promise<Movement[]> =>
  uncovered(tx).execute({ accountId, assetId })

/** One of an account; fails with 404 for none. */
export async function movementOf(db: Db, accountId: string, id: string): Promise<Movement> {
  const row = await movementById(db, id)
  if (row?.accountId === accountId) return row
  throw fail('MOVEMENT_NOT_FOUND', { message: `Account ${accountId} has no movement ${id}` })
}

/** Whether it came in, was posted, and its chain has taken it back: nobody holds it. Not once a person has covered it. */
export const isTakenBack = async (db: Db, { id, kind, bookedAt, reversedAt }: Movement): Promise<boolean> =>
  kind === 'in' && bookedAt !== null && reversedAt !== null && !(await isCovered(db, id))

export const reversedOf = (tx: Tx, accountId: string, assetId: string): Promise<Movement[]> =>
  reversed(tx).execute({ accountId, assetId })

/** Whether the payment of an order is fully posted as a movement. */
export async function isPaidByMovement(db: Db, orderId: string): Promise<boolean> {
  const rows = await ofOrder(db).execute({ orderId })
  return rows.length > 0 && rows.every(({ bookedAt }) => bookedAt !== null)
}

export const waitingCoins = (db: Db) => coins(db).execute()

export const waitingOf = (
  db: Db,
  coin: { network: string; contractAddress: string | null },
  place: { after: string; limit: number },
): Promise<Movement[]> => waiting({ isNative: coin.contractAddress === null })(db).execute({ ...coin, ...place })

const ofOrder = prepared((db) =>
  db
    .select({ bookedAt: movements.bookedAt })
    .from(movements)
    // Written out, or its index would not be seen to cover it.
    .where(and(eq(movements.orderId, param('orderId')), eq(movements.kind, sql`'out'`))),
)
const ofAsset = (which: SQL | undefined) =>
  prepared((db) =>
    db
      .select()
      .from(movements)
      .where(and(eq(movements.accountId, param('accountId')), eq(movements.assetId, param('assetId')), which))
      .orderBy(asc(movements.id)),
  )
const uncovered = ofAsset(and(isNull(movements.bookedAt), isNull(movements.reversedAt)))
const reversed = ofAsset(
  and(
    eq(movements.kind, 'in'),
    isNotNull(movements.bookedAt),
    isNotNull(movements.reversedAt),
    hasNoCover(sql`${movements.id}`),
  ),
)
const unbooked = byKey(movements, 'accountId', { only: isNull(movements.bookedAt) })
const coins = prepared((db) =>
  db
    .selectDistinct({ network: movements.network, contractAddress: movements.contractAddress })
    .from(movements)
    .where(isNull(movements.bookedAt)),
)
const waiting = variants(
  ({ isNative }: { isNative: boolean }) =>
    (db) =>
      db
        .select()
        .from(movements)
        .where(
          and(
            isNull(movements.bookedAt),
            gt(movements.id, param('after')),
            eq(movements.network, param('network')),
            isNative ? isNull(movements.contractAddress) : eq(movements.contractAddress, param('contractAddress')),
          ),
        )
        .orderBy(asc(movements.id))
        .limit(param('limit')),
)
