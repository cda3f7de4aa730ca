import { useOpenWork } from '../../api/open-work'
import { formatCount } from '../../format/amount'
import { counted } from '../../format/words'
import { Usd } from '../../ui/amount'
import { Figure } from '../../ui/card'
import { Oldest } from '../../ui/time'
import type { OverviewData } from './overview-query'
import { formatChange } from './period-figures'
import { inStatus } from './work-figures'

const kinds = [
  { status: 'FROZEN', label: 'Frozen, to review', tone: 'wait', href: '/console/review' },
  { status: 'PENDING', label: 'Pending screening', tone: undefined, href: '/console/transactions?status=PENDING' },
  {
    status: 'APPROVED',
    label: 'Approved, on their way',
    tone: undefined,
    href: '/console/transactions?status=APPROVED',
  },
] as const

/** The work that waits, with the age of the oldest, and the value held. */
export function WorkFigures({
  overview,
  heldChange,
}: {
  overview: OverviewData | undefined
  heldChange: number | null
}) {
  const { data } = useOpenWork()
  return (
    <div class="figures">
      {kinds.map(({ status, label, tone, href }) => {
        const figure = data ? inStatus(data.counts, status) : null
        return (
          <Figure
            key={status}
            label={label}
            href={href}
            tone={figure?.count ? tone : undefined}
            value={figure ? formatCount(figure.count) : '–'}
            note={figure?.oldestAt ? <Oldest at={figure.oldestAt} /> : null}
          />
        )
      })}
      <Figure
        label="Stuck"
        href="/console/transactions?view=stuck"
        tone={data?.stuckCount ? 'bad' : undefined}
        value={data ? `${formatCount(data.stuckCount)}${data.stuckCount === 100 ? '+' : ''}` : '–'}
        note={data?.stuckCount === 0 ? 'none late' : 'late, or failed but paid'}
      />
      <Figure
        label="Held for customers"
        value={overview ? <Usd value={overview.totals.balances.usdValue} isShort /> : '–'}
        note={overview ? <HeldNote unpriced={overview.unpriced.length} change={heldChange} /> : null}
      />
    </div>
  )
}

/** What the estimate leaves out, and the change in the period. */
const HeldNote = ({ unpriced, change }: { unpriced: number; change: number | null }) => (
  <>
    {unpriced > 0 ? `+ ${counted(unpriced, 'asset')} without a rate` : "at today's rates"}
    {change === null ? null : <>, {formatChange(change)}</>}
  </>
)
