import type { Column } from '../../ui/data-table'
import { AccountName } from '../../ui/names'
import { Kind, type TransactionType } from './kind'

/** What kind of transaction a row is, and whose. */
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
