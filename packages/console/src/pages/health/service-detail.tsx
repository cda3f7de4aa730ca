import { formatCount } from '../../format/amount'
import { formatBytes } from '../../format/bytes'
import { toWords } from '../../format/words'
import { Button } from '../../ui/button'
import { Card, Facts } from '../../ui/card'
import { Note } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import type { Operations, ServiceState } from './health-query'
import { State } from './service-table'

/** All figures that a service reports. */
export function ServiceDetail({ of, onClose }: { of: ServiceState; onClose(): void }) {
  const { name, problem, operations, instances } = of
  return (
    <Card
      title={name}
      aside={
        <>
          <State of={of} />
          <Button look="quiet" isSmall icon="cross" aria-label={`Close ${name}`} onClick={onClose} />
        </>
      }
    >
      {problem ? <Note tone="bad">{problem}</Note> : null}
      {instances.length > 0 ? (
        <Facts of={instances.map((each) => [each.address, <State key={each.address} of={each} />] as const)} />
      ) : null}
      {operations ? <Detail of={operations} /> : <p class="hint">It gave no answer that can be shown.</p>}
    </Card>
  )
}

function Detail({ of }: { of: Operations }) {
  const { version, startedAt, checks, failures, outbox, database, diskFreeBytes, consumers, figures } = of
  return (
    <>
      <Facts
        of={[
          ['Version', version],
          ['Started', <Time at={startedAt} zone />],
          ['Database', database && sizeOf(database)],
          ['Disk free', diskFreeBytes === null ? null : formatBytes(diskFreeBytes)],
          ['Broker', outbox.problem],
          ...checks.map((check) => [toWords(check), <CheckState key={check} failure={failures[check]} />] as const),
        ]}
      />
      <Figures of={figures} />
      <details>
        <summary>Consumes {consumers.length === 1 ? '1 kind of event' : `${consumers.length} kinds of events`}</summary>
        <ul class="rows">
          {[...consumers].sort().map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}

export const CheckState = ({ failure }: { failure: string | undefined }) =>
  failure === undefined ? (
    <Status value="Passed" />
  ) : (
    <>
      <Status value="Failed" /> {failure}
    </>
  )

function Figures({ of }: { of: Readonly<Record<string, number>> }) {
  const all = Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1))
  if (all.length === 0) return null
  return <Facts of={all.map(([name, value]) => [toWords(name.replace(/^bursar_/, '')), formatCount(value)] as const)} />
}

const sizeOf = ({ bytes, logBytes }: NonNullable<Operations['database']>): string =>
  `${formatBytes(bytes)}${logBytes === null ? '' : `, its log ${formatBytes(logBytes)}`}`
