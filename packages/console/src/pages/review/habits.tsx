import type { components } from '#types/core-ledger'
import { useRead } from '../../api/read'
import { core } from '../../api/services'
import { formatCount, formatUsd } from '../../format/amount'
import { Card, Facts } from '../../ui/card'
import { Id } from '../../ui/id'
import { OwnerName } from '../../ui/names'
import { Loaded } from '../../ui/states'
import { Time } from '../../ui/time'

type Habit = components['schemas']['CustomerHabit']

/** Statistics end at this number of transactions. */
const mostCounted = 200

/** What the customer of a transaction, and its counterparty, usually do. */
export function Habits({ id, accountId, usdValue }: { id: string; accountId: string; usdValue?: number | null }) {
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
