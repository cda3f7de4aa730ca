import { useRead } from '../../api/read'
import { payments } from '../../api/services'
import { formatCount } from '../../format/amount'
import { Figure } from '../../ui/card'
import { ErrorNote } from '../../ui/states'
import { Oldest } from '../../ui/time'
import { inStatus } from '../overview/work-figures'
import type { PaymentStatus } from './payment'

const kinds: { status: PaymentStatus; label: string; tone?: 'wait' | 'bad' }[] = [
  { status: 'PENDING', label: 'To decide', tone: 'wait' },
  { status: 'IN_REVIEW', label: 'In review', tone: 'wait' },
  { status: 'APPROVED', label: 'To send' },
  { status: 'PROCESSING', label: 'At the bank' },
  { status: 'FAILED', label: 'Failed', tone: 'bad' },
]

/** The payments that need somebody's action, with the age of the oldest. */
export function OpenPayments() {
  const counts = useRead(['payments', 'counts'], (signal) => payments.GET('/transactions/counts', { signal }), {
    refetchInterval: 15_000,
  })
  if (counts.error && !counts.data) return <ErrorNote error={counts.error} retry={() => void counts.refetch()} />
  return (
    <div class="figures">
      {kinds.map(({ status, label, tone }) => {
        const figure = counts.data && inStatus(counts.data, status)
        return (
          <Figure
            key={status}
            label={label}
            href={`/console/bank?status=${status}`}
            tone={figure?.count ? tone : undefined}
            value={figure ? formatCount(figure.count) : '–'}
            note={figure?.oldestAt ? <Oldest at={figure.oldestAt} /> : null}
          />
        )
      })}
    </div>
  )
}
