import type { Tx } from '@bursar/store'
import { type DecisionRow, decisionsOf, recordDecision } from '../decisions/decisions'
import { fail } from '../errors'
import { countCompleted } from '../overview/count-completed'
import { move } from './move'
import { obstacleOf } from './obstacle'
import { transactionById } from './read-transactions'
import { type Approval, type Approved, isFirstOfTwo } from './review'

/**
 * REJECTED or FAILED → COMPLETED: a deposit that stayed in suspense is credited after all, for the act's reason; or, as
 * the first of two persons, a proposal that changes nothing else. Fails with 400 for another transaction, and while
 * something keeps it from being credited; as approving does where it takes two.
 */
export async function releaseDeposit(
  tx: Tx,
  id: string,
  { persons, ...act }: Approval,
  now = new Date(),
): Promise<Approved> {
  const transaction = await transactionById(tx, id)
  const { id: ownId, type, status } = transaction
  if (type !== 'DEPOSIT') {
    throw fail('WRONG_TYPE', { message: `Transaction ${ownId} is a ${type.toLowerCase()}, not a deposit` })
  }
  if (status !== 'REJECTED' && status !== 'FAILED') {
    throw fail('ILLEGAL_MOVE', {
      message: `Transaction ${ownId} is ${status}; only a REJECTED or FAILED one can be released`,
    })
  }
  const obstacle = await obstacleOf(tx, transaction)
  if (obstacle) throw fail('RELEASE_REFUSED', { message: obstacle.reason })
  const made = persons === 'one' ? [] : await decisionsOf(tx, ownId)
  const isProposed = await isFirstOfTwo(tx, ownId, { persons, ...act }, made, {
    open: made.filter(isRelease),
    decision: 'RELEASE_PROPOSED',
    now,
  })
  if (isProposed) return { transaction, isProposed }
  await recordDecision(tx, ownId, 'RELEASED', act, now)
  const released = await move(tx, transaction, 'COMPLETED', { at: now, detail: act.note ?? null })
  await countCompleted(tx, transaction, now)
  return { transaction: released, isProposed }
}

const isRelease = ({ decision }: DecisionRow): boolean => decision === 'RELEASE_PROPOSED'
