import type { components } from '#types/core-ledger'
import { useRead } from '../../api/read'
import { core } from '../../api/services'
import { useSession } from '../../api/session'
import { formatCount, formatUsd } from '../../format/amount'
import { Actor } from '../../ui/actor'
import { Amount, Usd } from '../../ui/amount'
import { Button } from '../../ui/button'
import { Card, Facts } from '../../ui/card'
import { Id } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import { Kbd } from '../../ui/kbd'
import { AccountName, OwnerName } from '../../ui/names'
import { Loaded, Note } from '../../ui/states'
import { Age, Ago, Time } from '../../ui/time'
import { Kind } from '../transactions/kind'
import { Screening } from '../transactions/screening'
import { evidenceOf } from '../transactions/screening-evidence'
import { AssignTo } from './assignee'
import { Comments } from './comments'
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

type Habit = components['schemas']['CustomerHabit']

/** Statistics end at this number of transactions. */
const mostCounted = 200

/** What the customer of a transaction, and its counterparty, usually do. */
function Habits({ id, accountId, usdValue }: { id: string; accountId: string; usdValue?: number | null }) {
  const parties = useRead(
    ['transactions', 'parties', id],
    (signal) => core.GET('/transactions/{id}/parties', { params: { path: { id } }, signal }),
    { staleTime: 60_000 },
  )
  return (
    <Loaded of={parties} lines={4}>
      {({ customer, counterparty }) => (
        <>
          <Card
            title="The customer"
            aside={
              <span>
                <OwnerName accountId={accountId} />
              </span>
            }
          >
            <Figures of={customer} />
            {usdValue && customer.completed > 0 && usdValue > customer.largestUsd ? (
              <p class="habit-news">This is the largest so far.</p>
            ) : null}
          </Card>
          {counterparty ? (
            <Card title="The counterparty" aside={<Id value={counterparty.address} />}>
              {counterparty.count === 0 ? (
                <p class="habit-news">Nobody here has dealt with it before.</p>
              ) : (
                <>
                  <Figures of={counterparty} />
                  <p class="hint">
                    With {formatCount(counterparty.accounts)} {counterparty.accounts === 1 ? 'account' : 'accounts'}{' '}
                    here.{' '}
                    <a href={`/console/transactions?q=${encodeURIComponent(counterparty.address)}`}>All of them</a>
                  </p>
                </>
              )}
            </Card>
          ) : null}
        </>
      )}
    </Loaded>
  )
}

function Figures({ of }: { of: Habit }) {
  const { count, completed, refused, usdValue, largestUsd, firstAt, lastAt } = of
  if (count === 0) return <p class="habit-news">This is the first transaction.</p>
  return (
    <Facts
      of={[
        [
          'Before',
          `${count === mostCounted ? 'over ' : ''}${formatCount(count)}, of which ${formatCount(completed)} completed`,
        ],
        ['Refused', refused > 0 ? <b class="bad">{formatCount(refused)}</b> : 'none'],
        ['In all', `≈ ${formatUsd(usdValue)}`],
        ['Largest', `≈ ${formatUsd(largestUsd)}`],
        ['First seen', <Time at={firstAt} />],
        ['Last', <Time at={lastAt} />],
      ]}
    />
  )
}
