import { formatAmount } from '@bursar/money'
import { and, asc, type Db, desc, eq, gt, gte, lt, lte, ne, or, param, variants } from '@bursar/store'
import { executingType, findStanding } from '../accounts/accounts'
import { assets } from '../assets/assets.table'
import { fail } from '../errors'
import { isTakenBack, type Movement, movementById } from './movements'
import type { AccountMovement, MovementQuery } from './movements.model'
import { movements } from './movements.table'

/**
 * Movements at a portfolio's addresses besides its transactions, in order of confirmation. The holdings of its
 * addresses are the sum of its completed transactions and these. For an account of another type: forgotten payments
 * that were posted from the chain; the network fees of its address are the platform's.
 */
export async function listMovements(db: Db, account: string, query: MovementQuery): Promise<AccountMovement[]> {
  const accountId = account.toLowerCase()
  const type = (await findStanding(db, accountId))?.type
  if (type === undefined) return []
  const { order = 'asc', after, limit = 50 } = query
  const place = after === undefined ? ends[order] : await placeOf(db, accountId, after)
  const page = pageOf({ order, withFees: type === executingType })
  return await Promise.all((await page(db).execute({ accountId, limit, ...place })).map((row) => toMovement(db, row)))
}

const ends = { asc: { at: new Date(0), after: '' }, desc: { at: new Date('9999-12-31'), after: '~' } }

async function placeOf(db: Db, accountId: string, after: string) {
  const row = await movementById(db, after)
  if (row?.accountId === accountId) return { at: row.confirmedAt, after }
  throw fail('FILTER_INVALID', { message: 'after must be the id of a movement of this account' })
}

interface Row {
  movement: Movement
  assetCode: string | null
}

export const toMovement = async (db: Db, { movement, assetCode }: Row): Promise<AccountMovement> => ({
  id: movement.id,
  kind: movement.kind,
  network: movement.network,
  txHash: movement.txHash,
  address: movement.address,
  counterparty: movement.counterparty,
  contractAddress: movement.contractAddress,
  assetId: movement.assetId,
  assetCode,
  amount: formatAmount(movement.amount, movement.decimals),
  executionId: movement.orderId,
  confirmedAt: movement.confirmedAt.toISOString(),
  bookedAt: movement.bookedAt?.toISOString() ?? null,
  waitsFor: movement.waitsFor,
  ...((await isTakenBack(db, movement)) ? { takenBack: true } : {}),
})

const pageOf = variants(({ order, withFees }: { order: 'asc' | 'desc'; withFees: boolean }) => {
  const [from, beyond, by] = order === 'asc' ? [gte, gt, asc] : [lte, lt, desc]
  return (db) =>
    db
      .select({ movement: movements, assetCode: assets.code })
      .from(movements)
      .leftJoin(assets, eq(assets.id, movements.assetId))
      .where(
        and(
          eq(movements.accountId, param('accountId')),
          withFees ? undefined : ne(movements.kind, 'fee'),
          from(movements.confirmedAt, param('at')),
          or(beyond(movements.confirmedAt, param('at')), beyond(movements.id, param('after'))),
        ),
      )
      .orderBy(by(movements.confirmedAt), by(movements.id))
      .limit(param('limit'))
})
