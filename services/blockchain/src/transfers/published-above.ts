import { and, type Db, eq, gt, inArray, isNotNull, isNull, param, prepared } from '@bursar/store'
import { movements } from '../movements/movements.table'
import { transfers } from './transfers.table'

/** Whether a deposit or movement in a block above this one was published, and not reversed since. */
export const isPublishedAbove = async (db: Db, network: string, block: number): Promise<boolean> =>
  (await depositAbove(db).execute({ network, block })).length > 0 ||
  (await movementAbove(db).execute({ network, block })).length > 0

/** In a block of the network above another one. */
export const isAbove = and(eq(transfers.network, param('network')), gt(transfers.block, param('block')))
export const isConfirmedAbove = and(isAbove, eq(transfers.status, 'confirmed'))
const depositAbove = prepared((db) => db.select({ id: transfers.id }).from(transfers).where(isConfirmedAbove).limit(1))
/** Each movement's transfer is recorded as well, and is found by its block. */
const movementAbove = prepared((db) =>
  db
    .select({ id: movements.id })
    .from(transfers)
    .innerJoin(movements, and(eq(movements.network, transfers.network), eq(movements.txHash, transfers.txHash)))
    .where(
      and(
        isAbove,
        // By name, so that the index of blocks finds them.
        inArray(transfers.status, transfers.status.enumValues),
        isNotNull(movements.confirmedAt),
        isNull(movements.reversedAt),
      ),
    )
    .limit(1),
)
