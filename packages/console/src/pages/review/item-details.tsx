import { useSession } from '../../api/session'
import { Actor } from '../../ui/actor'
import { Amount, Usd } from '../../ui/amount'
import { Button } from '../../ui/button'
import { Card, Facts } from '../../ui/card'
import { Id } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import { Kbd } from '../../ui/kbd'
import { AccountName } from '../../ui/names'
import { Note } from '../../ui/states'
import { Age, Ago, Time } from '../../ui/time'
import { Kind } from '../transactions/kind'
import { Screening } from '../transactions/screening'
import { evidenceOf } from '../transactions/screening-evidence'
import { AssignTo } from './assignee'
import { Comments } from './comments'
import { Habits } from './habits'
import { ownPart } from './own-part'
import { ruleOf } from './review-groups'
import type { ReviewDecision, ReviewItem } from './review-query'

interface Props {
  item: ReviewItem
  /** Absent if this user may not decide. */
  decide?: (decision: ReviewDecision) => void
}

/** All facts for a decision about one transaction, and its two buttons. */
export function ItemDetails({ item, decide }: Props) {
  return (
    <div class="stack review-details">
      <Card>
        <div class="ends">
          <Id value={item.id} href={`/console/transactions/${item.id}`} />
          <span class="hint">
            waits <Age since={item.createdAt} />
          </span>
        </div>
        <div>
          <p class="figure-value">
            <Amount value={item.amount} asset={item.asset.code} />
          </p>
          <p>
            <Usd value={item.usdValue} />
          </p>
        </div>
        <Facts of={[...factsOf(item), ['Assigned to', <AssignTo id={item.id} isAllowed={decide !== undefined} />]]} />
        <Approvals item={item} />
        {decide ? <Buttons item={item} decide={decide} /> : <p class="hint">Operators and administrators decide.</p>}
      </Card>
      <Habits id={item.id} accountId={item.accountId} usdValue={item.usdValue} />
      <Card title="Screening" aside={evidenceOf(item.screeningData).provider}>
        <p>
          <strong>{ruleOf(item)}</strong>
        </p>
        <Screening data={item.screeningData} />
        {item.screeningData ? <JsonView of={item.screeningData} title="The whole answer of the screening" /> : null}
      </Card>
      <Comments key={item.id} id={item.id} mayWrite={decide !== undefined} />
    </div>
  )
}

const factsOf = (item: ReviewItem) =>
  [
    [
      'What',
      <>
        <Kind type={item.type} /> on {item.network}
      </>,
    ],
    ['Account', <AccountName id={item.accountId} />],
    ['To account', item.toAccountId ? <AccountName id={item.toAccountId} /> : null],
    ['From', item.sourceAddress ? <Id value={item.sourceAddress} isWhole /> : null],
    ['To', item.destinationAddress ? <Id value={item.destinationAddress} isWhole /> : null],
    ['Hash', item.txHash ? <Id value={item.txHash} isWhole /> : null],
    ['Reference', item.reference],
    ['Created', <Time at={item.createdAt} zone />],
  ] as const

/** Who has approved it already, if two approvals are needed. */
function Approvals({ item }: { item: ReviewItem }) {
  if (item.required < 2) return null
  const [first] = item.approvals
  if (!first) return <Note icon="users">It takes two persons to approve this.</Note>
  return (
    <Note tone="wait" icon="users">
      <strong>First of two.</strong> <Actor of={first.actor} /> approved it <Ago at={first.at} />
      {first.note ? <>: “{first.note}”</> : null}.
    </Note>
  )
}

function Buttons({ item, decide }: { item: ReviewItem; decide(decision: ReviewDecision): void }) {
  const { user } = useSession()
  const own = ownPart(item, user.id)
  return (
    <div class="review-buttons">
      <Button look="danger" onClick={() => decide('reject')}>
        Reject… <Kbd keys="x" />
      </Button>
      {item.returns ? null : (
        <Button
          look="main"
          disabled={own !== null}
          title={own === null ? undefined : 'Another person must approve it'}
          onClick={() => decide('approve')}
        >
          {own ?? (item.required === 2 && item.approvals.length > 0 ? 'Approve as second…' : 'Approve…')}{' '}
          {own === null ? <Kbd keys="a" /> : null}
        </Button>
      )}
    </div>
  )
}
