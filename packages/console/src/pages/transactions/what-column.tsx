import type { Column } from '../../ui/data-table'
import { AccountOwnName, OwnerName } from '../../ui/names'
import { Kind, type TransactionType } from './kind'

type Row = { type: TransactionType; accountId: string }

/** The kind of a row's transaction, and its account. */
export const whatColumn: Column<Row> = {
  head: 'What',
  narrow: 'lead',
  cell: ({ type, accountId }) => (
    <span>
      <Kind type={type} />
      <span class="sub in-list">
        <AccountOwnName id={accountId} />
      </span>
    </span>
  ),
}

/** Its customer and institution. */
export const ownerColumn: Column<Row> = {
  head: 'Owner',
  isWide: true,
  cell: ({ accountId }) => <OwnerName accountId={accountId} />,
}
