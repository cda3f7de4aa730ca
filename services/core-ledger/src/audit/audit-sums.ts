import type { Db } from '@bursar/store'
import { journalHead } from '../ledger/journal-head'
import { type EntryKind, type MovementEntryKind, sidesOf, sidesOfMovement } from '../ledger/ledger-accounts'
import { balanceAudit } from './audit-balances'
import { AuditDifference } from './audit-difference'
import { type EntryOfTransaction, entriesWithTransactions } from './audit-reads'
import { rollupAudit } from './audit-rollups'

/**
 * Adds up the entries, each of which must match its transaction, and compares all stored sums with them: balances, the
 * ledger's own accounts, rollups. The totals are kept, so that later sweeps read new entries only.
 */
export function sumAudit(read: Db) {
  let seq = 0
  const balances = balanceAudit(read, follow)
  const rollups = rollupAudit(read, follow)

  /** Continues to exactly this entry. Yields the number of entries read after each chunk. */
  async function* follow(upTo: number): AsyncGenerator<number> {
    while (seq < upTo) {
      const entries = await entriesWithTransactions(read, seq, upTo)
      for (const entry of entries) {
        if (entry.seq !== seq + 1) throw new AuditDifference(`Entry ${seq + 1} is missing`)
        seq = entry.seq
        checkEntry(entry)
        balances.add(entry)
        rollups.add(entry)
      }
      if (entries.length === 0) throw new AuditDifference(`Entry ${seq + 1} is missing`)
      yield entries.length
    }
  }

  /** Compares everything once. Yields the number of rows after each chunk; throws AuditDifference. */
  async function* sweep(): AsyncGenerator<number> {
    await rollups.begin()
    yield* follow(await journalHead(read))
    yield* balances.sweep()
    yield* rollups.sweep()
  }

  return { sweep, entries: () => seq, balances: balances.size }
}

/** An entry must match its transaction or movement: the same asset and amount, between the accounts of its kind. */
function checkEntry(entry: EntryOfTransaction): void {
  const { seq, kind, transaction, movement, transactionId } = entry
  const of = isOfMovement(kind) ? movement : transaction
  const what = `${isOfMovement(kind) ? 'movement' : 'transaction'} ${transactionId}`
  if (!of) throw new AuditDifference(`Entry ${seq} belongs to ${what}, which is not there`)
  const sides = sidesOfEntry(entry)
  const fits =
    entry.amount > 0n &&
    entry.amount === of.amount &&
    entry.assetId === of.assetId &&
    entry.debit === sides?.debit &&
    entry.credit === sides.credit &&
    (!isOfMovement(kind) || movement?.bookedAt?.getTime() === entry.createdAt.getTime())
  if (!fits) throw new AuditDifference(`Entry ${seq} (${kind}) is not what ${what} says`)
}

const isOfMovement = (kind: EntryKind): kind is MovementEntryKind => kind === 'execution' || kind === 'fee'

function sidesOfEntry({ kind, transaction, movement }: EntryOfTransaction) {
  if (isOfMovement(kind)) return movement ? sidesOfMovement(kind, movement) : undefined
  return transaction ? sidesOf[kind]?.(transaction) : undefined
}
