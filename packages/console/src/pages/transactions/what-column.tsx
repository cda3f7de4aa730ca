import type { Column } from '../../ui/data-table'
import { AccountName } from '../../ui/names'
import { Kind, type TransactionType } from './kind'

/** The kind of a row's transaction, and its account. */
export const whatColumn: Column<{ type: TransactionType; accountId: string }> = {
  head: 'What',
  narrow: 'lead',
  cell: ({ type, accountId }) => (
    <span>
      <Kind type={type} />
      <span class="sub in-list">
        <AccountName id={accountId} isPlain />
      </span>
    </span>
  ),
}
