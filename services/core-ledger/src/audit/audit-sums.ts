import { type Db, type Ranges, rowReader, type Store } from '@bursar/store'
import { journal } from '../ledger/journal.table'
import { isOfMovement, sidesOf, sidesOfMovement } from '../ledger/ledger-accounts'
import { chunkRows } from '../seals/read-journal'
import { balanceAudit } from './audit-balances'
import { AuditDifference } from './audit-difference'
import { accountTypes, type EntryOfTransaction, entriesWithTransactions } from './audit-reads'
import { rollupAudit } from './audit-rollups'

/** Reads of the audit: single statements, or several in one state of the data. */
export type AuditSource = Pick<Store, 'read' | 'snapshot'>

/**
 * Adds up the entries, each of which must match its transaction, and compares all stored sums with them: balances, the
 * ledger's own accounts, rollups. The totals are kept, so that later sweeps read new entries only.
 */
export function sumAudit(source: AuditSource) {
  let count = 0
  const reader = rowReader({ number: journal.seq })
  const types = accountTypes()
  const balances = balanceAudit(compared)
  const rollups = rollupAudit(compared)

  const adding = (db: Db) => async (ranges: Ranges) => {
    for (const [from, to] of ranges) {
      let expected = from
      for (const entry of await entriesWithTransactions(db, types, from, to)) {
        if (entry.seq !== expected) break
        checkEntry(entry)
        balances.add(entry)
        rollups.add(entry)
        count += 1
        expected += 1
      }
      if (expected <= to) throw new AuditDifference(`Entry ${expected} is missing`)
    }
  }

  /** Compares stored sums with exactly the entries of the same state. */
  async function compared<T>(compare: (db: Db) => Promise<T>): Promise<T> {
    return await source.snapshot(async (db) => {
      while ((await reader.next(db, chunkRows, adding(db))) >= chunkRows);
      return await compare(db)
    })
  }

  /** Compares everything once. Yields the number of rows after each chunk; throws AuditDifference. */
  async function* sweep(): AsyncGenerator<number> {
    for (let added = chunkRows; added >= chunkRows; ) {
      added = await reader.nextNow(source, chunkRows, adding)
      yield added
    }
    yield* balances.sweep()
    yield* rollups.sweep()
  }

  return { sweep, entries: () => count, balances: balances.size }
}

/** An entry must match its transaction or movement: the same asset and amount, between the accounts of its kind. */
function checkEntry(entry: EntryOfTransaction): void {
  const { seq, kind, transaction, movement, transactionId } = entry
  const of = isOfMovement(kind) ? movement : transaction
  const what = () => `${isOfMovement(kind) ? 'movement' : 'transaction'} ${transactionId}`
  if (!of) throw new AuditDifference(`Entry ${seq} belongs to ${what()}, which is not there`)
  const sides = sidesOfEntry(entry)
  const fits =
    entry.amount > 0n &&
    hasItsAmount(entry) &&
    entry.assetId === of.assetId &&
    entry.debit === sides?.debit &&
    entry.credit === sides.credit &&
    (!isOfMovement(kind) || movement?.bookedAt?.getTime() === entry.createdAt.getTime())
  if (!fits) throw new AuditDifference(`Entry ${seq} (${kind}) is not what ${what()} says`)
}

const hasItsAmount = ({ kind, amount, digits, transaction, movement }: EntryOfTransaction): boolean =>
  isOfMovement(kind) ? amount === movement?.amount : digits === transaction?.digits

function sidesOfEntry({ kind, transaction, movement }: EntryOfTransaction) {
  if (isOfMovement(kind)) return movement ? sidesOfMovement(kind, movement) : undefined
  return transaction ? sidesOf[kind]?.(transaction) : undefined
}
