import { useState } from 'preact/hooks'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { type OpenWork, useOpenWork } from '../../api/open-work'
import { useCan } from '../../api/session'
import { formatCount } from '../../format/amount'
import { Amount } from '../../ui/amount'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Icon } from '../../ui/icon'
import { loadPage } from '../../ui/load-page'
import { OwnerName } from '../../ui/names'
import { ErrorNote, Skeleton } from '../../ui/states'
import { Status } from '../../ui/status'
import { Age } from '../../ui/time'
import type { Decision } from '../transactions/decide'
import type { Decidable } from '../transactions/decision-dialog'
import { Kind } from '../transactions/kind'
import { evidenceOf } from '../transactions/screening-evidence'
import { oldestWork, type WaitingItem } from './oldest-work'
import { inStatus } from './work-figures'

/** Loaded when a button is pressed. */
const DecisionDialog = lazy(() => loadPage(() => import('../transactions/decision-dialog')))

/** What waits for a person, the three oldest with their buttons. */
export function NeedsYou() {
  const { data, error, refetch } = useOpenWork()
  const [open, setOpen] = useState<{ decision: Decision; item: Decidable } | null>(null)
  const mayAct = useCan('operate')
  if (!data) {
    return (
      <Card title="Needs you now">
        {error ? (
          <ErrorNote error={error} title="The open work could not be read." retry={() => void refetch()} />
        ) : (
          <Skeleton lines={3} />
        )}
      </Card>
    )
  }
  const items = oldestWork(data)
  return (
    <Card title="Needs you now" aside={<More of={data} />}>
      {items.length === 0 ? (
        <p class="needs-none">
          <Icon name="check" /> Nothing waits for a person.
        </p>
      ) : (
        <ol class="needs">
          {items.map((item) => (
            <Item
              key={item.id}
              of={item}
              {...(mayAct ? { act: (decision) => setOpen({ decision, item: itemOf(item) }) } : {})}
            />
          ))}
        </ol>
      )}
      <ErrorBoundary>{open ? <DecisionDialog {...open} onClose={() => setOpen(null)} /> : null}</ErrorBoundary>
    </Card>
  )
}

/** All of them. */
function More({ of }: { of: OpenWork }) {
  const frozen = inStatus(of.counts, 'FROZEN').count
  return (
    <>
      {frozen > 0 ? <a href="/console/review">{formatCount(frozen)} to review</a> : null}
      {of.stuckCount > 0 ? (
        <a href="/console/transactions?view=stuck">
          {formatCount(of.stuckCount)}
          {of.stuckCount === 100 ? '+' : ''} stuck
        </a>
      ) : null}
    </>
  )
}

function Item({ of: item, act }: { of: WaitingItem; act?: (decision: Decision) => void }) {
  const { is, id, since, of } = item
  return (
    <li>
      <span class="needs-state">
        <Status value={is} tone={is === 'stuck' ? 'bad' : undefined} /> <Age since={since} isShort />
      </span>
      <a class="needs-what" href={is === 'frozen' ? `/console/review?id=${id}` : `/console/transactions/${id}`}>
        <Kind type={of.type} /> <Amount value={of.amount} asset={is === 'frozen' ? of.asset.code : of.assetCode} />
      </a>
      <span class="needs-owner">
        <OwnerName accountId={of.accountId} />
      </span>
      <span class="needs-why">{whyOf(item)}</span>
      {act ? <Buttons is={is} act={act} /> : null}
    </li>
  )
}

const itemOf = ({ is, of }: WaitingItem): Decidable => (is === 'frozen' ? of : { ...of, asset: { code: of.assetCode } })

const whyOf = (item: WaitingItem): string =>
  item.is === 'frozen'
    ? (evidenceOf(item.of.screeningData).reason ?? 'The screening did not pass it')
    : (item.of.reason ?? 'Its network has not confirmed it')

function Buttons({ is, act }: { is: WaitingItem['is']; act(decision: Decision): void }) {
  return (
    <span class="needs-acts">
      {is === 'frozen' ? (
        <>
          <Button isSmall look="danger" onClick={() => act('reject')}>
            Reject…
          </Button>
          <Button isSmall look="main" onClick={() => act('approve')}>
            Approve…
          </Button>
        </>
      ) : (
        <Button isSmall icon="refresh" onClick={() => act('retry')}>
          Try now…
        </Button>
      )}
    </span>
  )
}
