import type { PaymentStatus } from '@bursar/contracts/transaction-manager'
import {
  and,
  asc,
  type Db,
  eq,
  gt,
  gte,
  inChunks,
  isNull,
  ne,
  notInArray,
  or,
  param,
  prepared,
  type SQL,
} from '@bursar/store'
import { toUnits } from './amounts'
import { payments } from './payments.table'

/** What a participant has moved lately. */
export interface Velocity {
  /** Its payments, of any currency. */
  readonly count: number
  /** What those in the asked currency add up to (amounts.ts). */
  readonly sum: bigint
}

const dayMs = 24 * 60 * 60 * 1000
/** Payments that are read at a time: other requests are answered in between. */
const chunkRows = 2000
/** They moved nothing and will not. */
const unmoved = ['REJECTED', 'CANCELLED', 'FAILED'] as const satisfies PaymentStatus[]

/**
 * The payments of the last 24 hours that a participant pays or receives, those that moved nothing left out. One that it
 * pays to itself counts once.
 */
export async function velocityOf(db: Db, participantId: string, currency: string, now: Date): Promise<Velocity> {
  const start = { since: new Date(now.getTime() - dayMs), id: '' }
  let count = 0
  let sum = 0n
  for (const side of [paid, received]) {
    const chunks = inChunks(({ after, limit }) => side(db).execute({ participantId, ...after, limit }), {
      size: chunkRows,
      start,
      keyOf: ({ createdAt, id }) => ({ since: createdAt, id }),
    })
    for await (const rows of chunks) {
      count += rows.length
      for (const row of rows) if (row.currency === currency) sum += toUnits(row.amount)
      await new Promise(setImmediate)
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
