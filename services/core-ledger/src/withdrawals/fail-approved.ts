import type { BodyOf } from '@bursar/contracts/call'
import { refuseWithdrawal } from '@bursar/contracts/wallet'
import { AppError, type Client, ifCallFails, isRefused } from '@bursar/http'
import type { Db, Tx } from '@bursar/store'
import { fail } from '../errors'
import { transactionById } from '../movements/read-transactions'
import { ordersOf, workOf } from '../movements/read-work'
import { toWithdrawal } from './ask-wallet'
import { wasFrozenAgain } from './rescreening'
import { createWallet } from './wallet-calls'

/**
 * Ensures that an APPROVED transaction can be failed, and returns the reason to store. A withdrawal is first refused at
 * the wallet service, which records that it will never be paid: 409 if it has the withdrawal already, 503 if it is
 * unavailable. 404 for an unknown transaction, 400 unless APPROVED.
 */
export async function requireUnpaid(
  { db, client }: { db: Db; client: Client },
  id: string,
  reason: string,
): Promise<string> {
  const { status, type, id: ownId } = await transactionById(db, id)
  if (status !== 'APPROVED') {
    throw fail('ILLEGAL_MOVE', { message: `Transaction ${ownId} is ${status}; only an APPROVED one can be failed` })
  }
  if (type !== 'WITHDRAWAL') return reason
  const wasAccepted = (await workOf(db, ownId))?.acceptedAt != null
  return await refuse(client, ownId, { reason, wasAccepted }, 'failed')
}

/**
 * Ensures that a withdrawal that was frozen again, and may have been ordered before, can be rejected: the wallet
 * service records that it will never be paid. 409 if it may have been paid, 503 if the wallet service is unavailable.
 * Returns a check for the rejecting commit: 409 if the withdrawal was frozen again only since.
 */
export async function requireUnordered({ db, client }: { db: Db; client: Client }, id: string, reason: string) {
  const { status, id: ownId } = await transactionById(db, id)
  const isOrdered = status === 'FROZEN' && (await wasFrozenAgain(db, ownId))
  if (isOrdered) await refuseAccepted({ db, client }, ownId, reason)
  return async (tx: Tx): Promise<void> => {
    if (isOrdered || !(await wasFrozenAgain(tx, ownId))) return
    throw fail('WITHDRAWAL_KNOWN', { message: `Transaction ${ownId} was frozen again just now: reject it once more` })
  }
}

/**
 * Whether a frozen return may have been paid before it was frozen again: it can then be approved, to complete the
 * payment. Otherwise the wallet service has recorded that it will never be paid, if it was ordered at all, and nobody
 * can approve it (review.ts). 503 if the wallet service is unavailable.
 */
export async function mayBeReturned({ db, client }: { db: Db; client: Client }, id: string): Promise<boolean> {
  const { returns, id: ownId } = await transactionById(db, id)
  if (returns === null) return false
  try {
    await requireUnordered({ db, client }, ownId, 'Its destination is sanctioned')
    return false
  } catch (error) {
    if (error instanceof AppError && error.status === 409) return true
    throw error
  }
}

/**
 * A withdrawal that the wallet service has forgotten is ordered as previously accepted: it is not signed, and waits for
 * an operator.
 */
async function refuseAccepted({ db, client }: { db: Db; client: Client }, id: string, reason: string): Promise<void> {
  try {
    await refuse(client, id, { reason, wasAccepted: true }, 'rejected')
  } catch (error) {
    const order = (await ordersOf(db, [id])).get(id)
    if (order && error instanceof AppError && error.status === 409) {
      await ifCallFails(createWallet(client, 1).start({ ...toWithdrawal(order), wasAccepted: true }), (cause) => {
        throw fail('WALLET_UNAVAILABLE', { cause })
      })
    }
    throw error
  }
}

async function refuse(
  client: Client,
  id: string,
  body: BodyOf<typeof refuseWithdrawal>,
  what: string,
): Promise<string> {
  const record = await ifCallFails(client.call(refuseWithdrawal, { params: { id }, body }), (cause) => {
    // It may have been paid; the wallet service's message says where to look.
    if (isRefused(cause, 409)) {
      throw fail('WITHDRAWAL_KNOWN', { message: `Transaction ${id} cannot be ${what}: ${cause.message}`, cause })
    }
    throw fail('WALLET_UNAVAILABLE', { cause })
  })
  if (record.id === id && record.status === 'failed') return record.reason ?? body.reason
  throw fail('WITHDRAWAL_KNOWN', {
    message: `Transaction ${id} cannot be ${what}: the wallet service has it as ${record.status}`,
  })
}
