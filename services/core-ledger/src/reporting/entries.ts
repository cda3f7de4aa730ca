import { isoTime } from '@bursar/contracts/iso-time'
import { formatAmount } from '@bursar/money'
import { rowsBy } from '@bursar/store'
import { journal } from '../ledger/journal.table'
import { type LedgerAccount, partsOf } from '../ledger/ledger-accounts'
import type { Entry } from './entries.model'

/** A transaction's entries of the journal, oldest first. */
export const entriesOf = rowsBy(journal, 'transactionId', 'seq')

/** The answered form; the amount in units of an asset with these decimals. */
export const toEntry = (row: typeof journal.$inferSelect, decimals: number): Entry => ({
  number: row.seq,
  kind: row.kind,
  from: sideOf(row.debit),
  to: sideOf(row.credit),
  amount: formatAmount(row.amount, decimals),
  at: isoTime(row.createdAt),
})

function sideOf(account: LedgerAccount): Entry['from'] {
  const { part: bucket, of } = partsOf(account)
  return { account: of, bucket }
}
