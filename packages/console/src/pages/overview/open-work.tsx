import { useOpenWork } from '../../api/open-work'
import { formatCount } from '../../format/amount'
import { Usd } from '../../ui/amount'
import { Figure } from '../../ui/card'
import { ErrorNote } from '../../ui/states'
import { Age } from '../../ui/time'
import { useStuck } from '../transactions/use-transactions'
import type { OverviewData } from './overview-query'
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

/** The work that waits for somebody, with the age of the oldest, and the value held. */
export function OpenWork({ overview }: { overview: OverviewData | undefined }) {
  const work = useOpenWork()
  return (
    <>
      {work.error && !work.data ? (
        <ErrorNote error={work.error} title="The open work could not be read." retry={() => void work.refetch()} />
      ) : null}
      <div class="figures">
        {kinds.map(({ status, label, tone, href }) => {
          const figure = work.data ? inStatus(work.data, status) : null
          return (
            <Figure
              key={status}
              label={label}
              href={href}
              tone={figure?.count ? tone : undefined}
              value={figure ? formatCount(figure.count) : '–'}
              note={<Oldest at={figure?.oldestAt} isEmpty={figure?.count === 0} />}
            />
          )
        })}
        <Stuck />
        <Figure
          label="Held for customers"
          value={overview ? <Usd value={overview.totals.balances.usdValue} isShort /> : '–'}
          note={overview ? <>estimated at today's rates</> : null}
        />
      </div>
    </>
  )
}

/** Transactions that do not proceed automatically and need somebody's action. */
function Stuck() {
  const { rows, hasMore } = useStuck()
  const count = rows?.length ?? 0
  return (
    <Figure
      label="Stuck"
      href="/console/transactions?view=stuck"
      tone={count > 0 ? 'bad' : undefined}
      value={rows ? `${formatCount(count)}${hasMore ? '+' : ''}` : '–'}
      note={rows && count === 0 ? 'none late' : 'late, or failed but paid'}
    />
  )
}

function Oldest({ at, isEmpty }: { at: string | null | undefined; isEmpty: boolean }) {
  if (isEmpty) return <>nothing waiting</>
  return at ? (
    <>
      oldest <Age since={at} />
    </>
  ) : null
}
