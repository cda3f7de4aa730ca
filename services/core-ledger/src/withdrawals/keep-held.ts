import {
  and,
  type Db,
  deleteBy,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  or,
  param,
  prepared,
  type SQL,
  type Tx,
  upsertInto,
} from '@bursar/store'
import { accounts, customerOwners } from '../accounts/accounts.table'
import { heldChanges, holdsOwner } from '../accounts/institutions'
import { heldInstitutions } from '../accounts/institutions.table'
import { transactions } from '../movements/transactions.table'
import { work } from '../movements/work.table'

/**
 * Updates `heldInstitutions` from the replicas. Transactions of an institution that is no longer held are due at once.
 */
export async function keepHeld(tx: Tx, now: Date): Promise<void> {
  for (const { id, state } of await heldChanges(tx)) {
    if (state !== null) {
      await put(tx).execute({ id, state })
      continue
    }
    await wakeWaiting(tx).execute({ id, now })
    await remove(tx).execute({ id })
  }
}

/** A sentence about approved transactions of offboarded or deleted institutions; null while there is none. */
export async function waitsForOperator(db: Db): Promise<string | null> {
  const [ended] = await anyEnded(db).execute()
  const [first, ...others] = ended ? await endedWork(db).execute() : []
  if (!first) return null
  const count =
    others.length === 0
      ? 'An approved transaction of an offboarded or deleted institution waits'
      : `${others.length + 1}${others.length + 1 === mostCounted ? ' or more' : ''} approved transactions of offboarded or deleted institutions wait`
  return `${count} for an operator: POST /transactions/${first.id}/fail`
}

const mostCounted = 100

const isParty = or(eq(accounts.id, transactions.accountId), eq(accounts.id, transactions.toAccountId))
/**
 * Only work that waits, here with a reason or at the wallet service: the whole queue may be long. A return belongs to
 * no institution.
 */
const waitingOfHeld = (db: Db, which: SQL | undefined) =>
  db
    .select({ id: work.transactionId })
    .from(work)
    .innerJoin(transactions, eq(transactions.id, work.transactionId))
    .innerJoin(accounts, isParty)
    .leftJoin(customerOwners, eq(customerOwners.id, accounts.customerId))
    .innerJoin(heldInstitutions, holdsOwner)
    .where(and(or(isNotNull(work.lastError), isNotNull(work.acceptedAt)), isNull(transactions.returns), which))
const wakeWaiting = prepared((db) =>
  db
    .update(work)
    .set({ dueAt: param('now') })
    .where(
      and(
        gt(work.dueAt, param('now')),
        inArray(work.transactionId, waitingOfHeld(db, eq(heldInstitutions.id, param('id')))),
      ),
    ),
)
const isEnded = ne(heldInstitutions.state, 'PAUSED')
const anyEnded = prepared((db) => db.select({ id: heldInstitutions.id }).from(heldInstitutions).where(isEnded).limit(1))
const endedWork = prepared((db) => waitingOfHeld(db, isEnded).limit(mostCounted))
const put = upsertInto(heldInstitutions, ['id'], ['state'])
const remove = deleteBy(heldInstitutions, 'id')
