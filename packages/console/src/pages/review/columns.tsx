import { Amount, Usd } from '../../ui/amount'
import type { Column } from '../../ui/data-table'
import { OwnerName } from '../../ui/names'
import { Badge } from '../../ui/status'
import { Age } from '../../ui/time'
import { Kind } from '../transactions/kind'
import { Risk } from '../transactions/screening'
import { Assignee } from './assignee'
import type { ReviewItem } from './review-query'

/** What differs between the rows of a group: its head has the rule and the counterparty. */
export const columns: Column<ReviewItem>[] = [
  { head: 'Waits', narrow: 'sub', cell: ({ createdAt }) => <Waits since={createdAt} /> },
  { head: 'What', narrow: 'lead', cell: ({ type }) => <Kind type={type} /> },
  {
    head: 'Amount',
    align: 'end',
    narrow: 'end',
    cell: ({ amount, asset }) => <Amount value={amount} asset={asset.code} />,
  },
  { head: 'USD', align: 'end', narrow: 'sub-end', cell: ({ usdValue }) => <Usd value={usdValue} /> },
  { head: 'Customer', isWide: true, cell: ({ accountId }) => <OwnerName accountId={accountId} /> },
  { head: 'Risk', cell: ({ screeningData }) => <Risk data={screeningData} /> },
  { head: 'Review', cell: (item) => <Marks item={item} /> },
]

const Waits = ({ since }: { since: string }) => (
  <span>
    <span class="only-narrow">waits </span>
    <Age since={since} isShort />
  </span>
)

/** Whose it is, and how many of two have approved it; null for neither. */
function Marks({ item: { id, required, approvals } }: { item: ReviewItem }) {
  return (
    <>
      <Assignee of={id} />
      {required < 2 ? null : (
        <Badge tone={approvals.length > 0 ? 'wait' : 'plain'} icon="users">
          {approvals.length} of 2
        </Badge>
      )}
    </>
  )
}
