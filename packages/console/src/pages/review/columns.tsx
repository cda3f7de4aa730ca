import { Amount, Usd } from '../../ui/amount'
import type { Column } from '../../ui/data-table'
import { Badge } from '../../ui/status'
import { Age } from '../../ui/time'
import { Risk } from '../transactions/screening'
import { evidenceOf } from '../transactions/screening-evidence'
import { whatColumn } from '../transactions/what-column'
import type { ReviewItem } from './review-query'

export const columns: Column<ReviewItem>[] = [
  { head: 'Waits', narrow: 'sub', cell: ({ createdAt }) => <Waits since={createdAt} /> },
  { head: 'Risk', narrow: 'sub-end', cell: ({ screeningData }) => <Risk data={screeningData} /> },
  whatColumn,
  {
    head: 'Amount',
    align: 'end',
    narrow: 'end',
    cell: ({ amount, asset, usdValue }) => (
      <span>
        <Amount value={amount} asset={asset.code} />
        <span class="sub in-list">
          <Usd value={usdValue} />
        </span>
      </span>
    ),
  },
  { head: 'Why', cell: (item) => <Why item={item} /> },
]

const Waits = ({ since }: { since: string }) => (
  <span>
    <span class="only-narrow">waits </span>
    <Age since={since} />
  </span>
)

function Why({ item }: { item: ReviewItem }) {
  const { reason } = evidenceOf(item.screeningData)
  return (
    <div class="why">
      {reason ? <span>{reason}</span> : <span class="none">no reason given</span>}
      {item.required < 2 ? null : (
        <Badge tone={item.approvals.length > 0 ? 'wait' : 'plain'} icon="users">
          {item.approvals.length} of 2
        </Badge>
      )}
    </div>
  )
}
