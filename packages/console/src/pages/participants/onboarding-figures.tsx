import { useRead } from '../../api/read'
import { main } from '../../api/services'
import { formatCount } from '../../format/amount'
import { Figure } from '../../ui/card'
import { Ago } from '../../ui/time'
import type { InstitutionStatus } from './institution-query'

const figures = [
  { status: 'NOT_STARTED', label: 'Registered, not started', tone: 'wait' },
  { status: 'UNDER_REVIEW', label: 'Under review', tone: 'wait' },
  { status: 'APPROVED', label: 'Approved', tone: undefined },
  { status: 'PAUSED', label: 'Paused', tone: 'wait' },
] as const

/** The number of institutions in each status, and how long the first has waited. */
export function OnboardingFigures() {
  return (
    <div class="figures">
      {figures.map((figure) => (
        <StatusFigure key={figure.status} {...figure} />
      ))}
    </div>
  )
}

function StatusFigure({ status, label, tone }: { status: InstitutionStatus; label: string; tone: 'wait' | undefined }) {
  const { data } = useRead(
    ['institutions', 'figure', status],
    (signal) => main.GET('/admin/pfi', { params: { query: { status, limit: 1 } }, signal }),
    { refetchInterval: 60_000 },
  )
  const total = data?.pageInfo.total
  const [oldest] = data?.data ?? []
  return (
    <Figure
      label={label}
      href={`/console/participants?status=${status}`}
      tone={total ? tone : undefined}
      value={total === undefined ? '–' : formatCount(total)}
      note={tone && oldest ? <Ago what="first registered" at={oldest.createdAt} /> : null}
    />
  )
}
