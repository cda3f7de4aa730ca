import type { PaymentStatus } from '@bursar/contracts/transaction-manager'
import { and, asc, type Db, eq, gt, gte, isNull, ne, notInArray, or, param, prepared, type SQL } from '@bursar/store'
import { toUnits } from './amounts'
import { inTurns } from './in-turns'
import { payments } from './payments.table'

/** A participant's recent payments. */
export interface Velocity {
  /** Its payments, of any currency. */
  readonly count: number
  /** The sum of those in the requested currency (amounts.ts). */
  readonly sum: bigint
}

const dayMs = 24 * 60 * 60 * 1000
/** Statuses of payments that never moved money. */
const unmoved = ['REJECTED', 'CANCELLED', 'FAILED'] as const satisfies PaymentStatus[]

/**
 * The payments of the last 24 hours that a participant pays or receives, without those that moved nothing. One that it
 * pays to itself counts once.
 */
export async function velocityOf(db: Db, participantId: string, currency: string, now: Date): Promise<Velocity> {
  const start = { since: new Date(now.getTime() - dayMs), id: '' }
  let count = 0
  let sum = 0n
  for (const side of [paid, received]) {
    const chunks = inTurns(
      ({ after, limit }) => side(db).execute({ participantId, ...after, limit }),
      start,
      ({ createdAt, id }) => ({ since: createdAt, id }),
    )
    for await (const rows of chunks) {
      count += rows.length
      for (const row of rows) if (row.currency === currency) sum += toUnits(row.amount)
    }
  }
  return { count, sum }
}

const recent = (isOnSide: SQL | undefined) =>
  prepared((db) =>
    db
      .select({
        id: payments.id,
        createdAt: payments.createdAt,
        currency: payments.currency,
        amount: payments.amount,
      })
      .from(payments)
      .where(
        and(
          isOnSide,
          notInArray(payments.status, [...unmoved]),
          gte(payments.createdAt, param('since')),
          or(gt(payments.createdAt, param('since')), gt(payments.id, param('id'))),
        ),
      )
      .orderBy(asc(payments.createdAt), asc(payments.id))
      .limit(param('limit')),
  )

const paid = recent(eq(payments.fromParticipantId, param('participantId')))
const received = recent(
  and(
    eq(payments.toParticipantId, param('participantId')),
    or(isNull(payments.fromParticipantId), ne(payments.fromParticipantId, param('participantId'))),
  ),
)
