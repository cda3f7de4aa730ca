import { formatCount } from '../../format/amount'
import { Figure } from '../../ui/card'
import { Oldest } from '../../ui/time'
import type { ServiceState } from './health-query'
import { oldestEvent, sumOf } from './health-state'

/** The sums over all services. An unavailable figure is a dash, not a zero. */
export function HealthFigures({ services }: { services: readonly ServiceState[] }) {
  const well = services.filter(({ status }) => status === 'ok').length
  const waiting = sumOf(services, ({ outbox }) => outbox.waiting)
  const depth = sumOf(services, ({ queue }) => queue.depth)
  const letters = sumOf(services, ({ queue }) => queue.deadLetters)
  const silent = services.filter(({ operations }) => operations?.queue.deadLetters == null).length
  const oldest = oldestEvent(services)
  const incomplete = silent > 0 ? `without ${silent} that did not answer` : null
  return (
    <div class="figures">
      <Figure
        label="Healthy services"
        value={`${well} of ${services.length}`}
        tone={well === services.length ? 'good' : 'bad'}
        note={slowest(services)}
      />
      <Figure label="Events to publish" value={shown(waiting)} note={oldest ? <Oldest at={oldest} /> : null} />
      <Figure label="Jobs on the queues" value={shown(depth)} note={incomplete ?? 'waiting, active, to be retried'} />
      <Figure
        label="Dead letters"
        value={shown(letters)}
        tone={letters ? 'bad' : undefined}
        note={incomplete ?? (letters ? 'wait for a retry' : null)}
      />
    </div>
  )
}

const shown = (value: number | null): string => (value === null ? '–' : formatCount(value))

function slowest(services: readonly ServiceState[]): string | null {
  const [first] = services.filter(({ operations }) => operations).sort((a, b) => b.ms - a.ms)
  return first ? `slowest: ${first.name}, ${first.ms} ms` : null
}
