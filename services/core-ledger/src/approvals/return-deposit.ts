import type { Client } from '@bursar/http'
import type { Db, Tx } from '@bursar/store'
import { recordDecision, recordEntry } from '../decisions/decisions'
import { fail } from '../errors'
import { reversalOf } from '../movements/chain-transfers'
import { createReturn } from '../movements/create-return'
import { type TransactionRecord, transactionById } from '../movements/read-transactions'
import { requireNotReturned } from '../movements/returns'
import { type Approval, isFirstOfTwo } from './four-eyes'
import { requireInSuspense } from './release'
import { requireOutside, sourceOf } from './return-source'
import type { Approved } from './review'

/**
 * Ensures before the commit that a deposit can be returned: it is in suspense, and came from one external address. The
 * wallet service checks that the address is not the deployment's own: 503 while it is unavailable.
 */
export async function requireReturnable({ db, client }: { db: Db; client: Client }, id: string): Promise<void> {
  const deposit = await returnable(db, id)
  await requireOutside(client, deposit.network, sourceOf(deposit))
}

/**
 * Returns a deposit in suspense to its source, for the given reason: creates a withdrawal, which holds the amount and
 * is screened like any other; or, for the first of two persons, records a proposal that changes nothing else.
 */
export async function returnDeposit(tx: Tx, id: string, approval: Approval, now: Date): Promise<Approved> {
  const deposit = await returnable(tx, id)
  const destinationAddress = sourceOf(deposit)
  const isProposed = await isFirstOfTwo(tx, deposit.id, approval, 'RETURN_PROPOSED', now)
  if (isProposed) return { transaction: deposit, isProposed }
  await recordDecision(tx, deposit.id, 'RETURNED', approval, now)
  const transaction = await createReturn(tx, deposit, { destinationAddress }, now)
  return { transaction: await recordEntry(tx, approval.actor, transaction), isProposed }
}

async function returnable(db: Db, id: string): Promise<TransactionRecord> {
  const deposit = requireInSuspense(await transactionById(db, id), 'returned')
  await requireNotReturned(db, deposit.id)
  const reversal = await reversalOf(db, deposit.id)
  if (reversal !== null) throw fail('RETURN_REFUSED', { message: reversal })
  return deposit
}
