import { useState } from 'preact/hooks'
import { useOpenWork } from '../../api/open-work'
import { formatCount } from '../../format/amount'
import { formatBytes } from '../../format/bytes'
import { counted, toWords } from '../../format/words'
import { Button } from '../../ui/button'
import { Card, Facts, Figure } from '../../ui/card'
import { Page } from '../../ui/page'
import { Loaded, Note } from '../../ui/states'
import { Badge, Status } from '../../ui/status'
import { Oldest, Time } from '../../ui/time'
import { useMedia } from '../../ui/use-media'
import { DeadLetterGroups } from './dead-letter-groups'
import { type Health as HealthData, type Operations, type ServiceState, useHealth } from './health-query'
import { oldestEvent, type Problem, problemsOf, sumOf } from './health-state'
import { ServiceTable, State } from './service-table'

/** The state of all services: problems, backlogs, dead letters, the ledger's audit. */
export default function Health() {
  const health = useHealth()
  return (
    <Page
      title="Health"
      actions={
        health.data ? (
          <span class="hint">
            asked every 5 seconds, as of <Time at={health.data.at} zone />
          </span>
        ) : null
      }
    >
      <Loaded of={health} lines={12}>
        {(data) => <Services health={data} />}
      </Loaded>
    </Page>
  )
}

function Services({ health: { services, at } }: { health: HealthData }) {
  const [selected, select] = useState<string | null>(null)
  // On a telephone sixteen cards would hide what is below them.
  const isWide = useMedia('(min-width: 760px)')
  const problems = problemsOf(services, Date.parse(at))
  const chosen = services.find(({ name }) => name === selected)
  const isTroubled = ({ name }: ServiceState) => problems.some(({ service }) => service === name)
  const isWell = (service: ServiceState | undefined) => service !== undefined && !isTroubled(service)
  const [troubled, well] = [services.filter(isTroubled), services.filter((service) => !isTroubled(service))]
  const choice = { selected, onSelect: (name: string) => select(name === selected ? null : name) }
  const ledger = services.find(({ name }) => name === 'core-ledger')
  return (
    <>
      <Summary problems={problems} count={services.length} />
      <HealthFigures services={services} />
      <DeadLetterGroups services={services} />
      <div class="columns is-side">
        <div class="stack">
          {troubled.length > 0 ? (
            <ServiceTable label="Services with a problem" services={troubled} {...choice} />
          ) : null}
          <details class="health-well" open={(isWide && troubled.length === 0) || isWell(chosen)}>
            <summary>{counted(well.length, 'service')} without a problem</summary>
            <ServiceTable label="Services without a problem" services={well} {...choice} />
          </details>
        </div>
        <div class="stack side-panel">
          {chosen ? <ServiceDetail of={chosen} onClose={() => select(null)} /> : null}
          {ledger ? <LedgerBooks of={ledger} /> : null}
        </div>
      </div>
    </>
  )
}

function Summary({ problems, count }: { problems: readonly Problem[]; count: number }) {
  if (problems.length === 0) {
    return <Note tone="good">{counted(count, 'service')} answer. No event waits, and nothing is set aside.</Note>
  }
  const isBad = problems.some(({ tone }) => tone === 'bad')
  return (
    <Note tone={isBad ? 'bad' : 'wait'}>
      <strong>{problems.length === 1 ? '1 thing' : `${problems.length} things`} to look at</strong>
      <ul>
        {problems.map(({ service, words }) => (
          <li key={`${service} ${words}`}>
            <b>{service}</b>: {words}
          </li>
        ))}
      </ul>
    </Note>
  )
}

/** The sums over all services. An unavailable figure is a dash, not a zero. */
function HealthFigures({ services }: { services: readonly ServiceState[] }) {
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

const checks = {
  audit: 'Balances',
  books: 'Sealed journal',
  reconciliation: 'Wallets and chains',
  withdrawals: 'Withdrawals',
} as const

/** The results of the ledger's audit and reconciliation since its start. */
function LedgerBooks({ of: { operations, problem } }: { of: ServiceState }) {
  const stuck = useOpenWork().data?.stuckCount ?? 0
  if (!operations) {
    return (
      <Card title="The ledger’s books">
        <Note tone="bad">Their state is unknown: {problem ?? 'the ledger does not answer.'}</Note>
      </Card>
    )
  }
  return (
    <Card title="The ledger’s books">
      <Facts
        of={Object.entries(checks).map(([check, words]) => [
          words,
          !operations.checks.includes(check) ? null : check === 'withdrawals' && stuck > 0 ? (
            <a key={check} href="/console/transactions?view=stuck">
              <Badge tone="bad" icon="bang">
                {formatCount(stuck)} stuck
              </Badge>
            </a>
          ) : (
            <CheckState key={check} failure={operations.failures[check]} />
          ),
        ])}
      />
      <Rounds of={operations} />
    </Card>
  )
}

/** A check that has not run yet also passes, so the number of runs is shown. */
function Rounds({ of: { figures } }: { of: Operations }) {
  const rounds = figures.bursar_audit_rounds
  if (rounds === undefined) return null
  if (rounds === 0) return <p class="hint">The first round of the audit has not finished yet.</p>
  const entries = counted(figures.bursar_audit_entries ?? 0, 'entry', 'entries')
  const reconciled = figures.bursar_reconciliation_rounds
  return (
    <p class="hint">
      Since the start: {counted(rounds, 'round')} of the audit over {entries}
      {reconciled === undefined ? '' : `, ${counted(reconciled, 'reconciliation')}`}.
    </p>
  )
}

/** All figures that a service reports. */
function ServiceDetail({ of, onClose }: { of: ServiceState; onClose(): void }) {
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

const CheckState = ({ failure }: { failure: string | undefined }) =>
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
