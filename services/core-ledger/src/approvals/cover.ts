import type { Tx } from '@bursar/store'
import { type DecisionRow, recordDecision } from '../decisions/decisions'
import { fail } from '../errors'
import { transactionById } from '../movements/read-transactions'
import { hasUnbookedPayment } from '../movements/returns'
import { measureReversed, missingSince } from '../movements/reversal-shortfall'
import { endAlarm } from '../movements/work'
import { measureTakenBack } from '../portfolios/book-movement'
import { isTakenBack, type Movement, movementOf } from '../portfolios/movements'
import { type Approval, isFirstOfTwo } from './four-eyes'
import type { Approved } from './review'

/**
 * Records that what is missing was replaced, for the given reason; or, as the first of two persons, a proposal that changes
 * nothing else: of a deposit that was credited or returned, and that its chain has taken back; or of a return that was paid
 * in a way that nothing here posts. It is over for good, whatever the chain says later. Nothing is booked: whether the
 * coins are there is compared with the chain (reconcile-holdings.ts). Fails with 400 for any other transaction; with four
 * eyes, as approving does.
 */
export async function cover(tx: Tx, id: string, approval: Approval, now: Date): Promise<Approved> {
  const transaction = await transactionById(tx, id)
  const { id: ownId } = transaction
  const isUnbooked = await hasUnbookedPayment(tx, transaction)
  const missing = await missingSince(tx, ownId)
  if (!isUnbooked && missing === null) {
    throw fail('ILLEGAL_MOVE', {
      message:
        transaction.returns === null
          ? `Transaction ${ownId} is no credited or returned deposit that its chain has taken back, or it is covered`
          : `Transaction ${ownId} has no payment that is in no books, or it is covered`,
    })
  }
  const isProposed = await decideCover(tx, ownId, { ...approval, since: missing }, now)
  if (isProposed) return { transaction, isProposed }
  // Its payment, where the chain tells it, is forgotten from now on (forgotten-returns.ts).
  if (isUnbooked) await endAlarm(tx, ownId)
  else await measureReversed(tx, transaction, now)
  return { transaction, isProposed }
}

/**
 * The same for a movement that came to a portfolio, was booked, and that its chain has taken back. 404 for none of the
 * account's.
 */
export async function coverMovement(
  tx: Tx,
  { accountId, movement: id }: { accountId: string; movement: string },
  approval: Approval,
  now: Date,
): Promise<{ movement: Movement; isProposed: boolean }> {
  const movement = await movementOf(tx, accountId, id)
  if (!(await isTakenBack(tx, movement))) {
    throw fail('ILLEGAL_MOVE', {
      message: `Movement ${movement.id} did not come in, is not booked, or is on its chain; or it is covered`,
    })
  }
  const isProposed = await decideCover(tx, movement.id, { ...approval, since: movement.reversedAt }, now)
  if (!isProposed) await measureTakenBack(tx, movement, now)
  return { movement, isProposed }
}

/**
 * Records the decision, or as that of the first of two persons the proposal; then it gives true. A proposal from before the
 * present reversal (`since`) was about an earlier one. A time that is still to come was set by a wrong clock.
 */
async function decideCover(
  tx: Tx,
  id: string,
  { since, ...approval }: Approval & { since: Date | null },
  now: Date,
): Promise<boolean> {
  const isPresent = ({ at }: DecisionRow) => since === null || since > now || at > since
  const isProposed = await isFirstOfTwo(tx, id, approval, 'COVER_PROPOSED', now, isPresent)
  if (!isProposed) await recordDecision(tx, id, 'COVERED', approval, now)
  return isProposed
}
