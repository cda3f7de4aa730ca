import { useState } from 'preact/hooks'
import { counted } from '../../format/words'
import { Page } from '../../ui/page'
import { Loaded, Note } from '../../ui/states'
import { Time } from '../../ui/time'
import { useMedia } from '../../ui/use-media'
import { DeadLetterGroups } from './dead-letter-groups'
import { HealthFigures } from './health-figures'
import { type Health as HealthData, type ServiceState, useHealth } from './health-query'
import { type Problem, problemsOf } from './health-state'
import { LedgerBooks } from './ledger-books'
import { ServiceDetail } from './service-detail'
import { ServiceTable } from './service-table'

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
