import { useState } from 'preact/hooks'
import { useCan } from '../../api/session'
import { formatCount } from '../../format/amount'
import { MoreActs } from '../../ui/act'
import { Button } from '../../ui/button'
import { Card, Facts, Figure } from '../../ui/card'
import { Id } from '../../ui/id'
import { Organisation } from '../../ui/organisations'
import { Page } from '../../ui/page'
import { Loaded, Note } from '../../ui/states'
import { Tabs, useTabs } from '../../ui/tabs'
import { Ago, Time } from '../../ui/time'
import { DeliveryTable } from './delivery-table'
import { type EndpointAct, EndpointActDialog } from './endpoint-acts'
import { EndpointState } from './endpoint-state'
import { useMayChange, useMaySend } from './may-act'
import { shareOf } from './share'
import { type Endpoint, type Figures, useEndpoint, useFigures } from './webhook-queries'

/** One endpoint: its figures, its deliveries, and the acts when it fails. */
export function EndpointView({ id }: { id: string }) {
  const read = useEndpoint(id)
  const figures = useFigures(id)
  const maySend = useMaySend()
  const isStaff = useCan('read')
  const [act, setAct] = useState<EndpointAct | null>(null)
  const endpoint = read.data
  return (
    <Page
      title={endpoint ? hostOf(endpoint.url) : 'Endpoint'}
      up={{ href: '/console/webhooks', words: 'Webhooks' }}
      badge={endpoint ? <EndpointState endpoint={endpoint} figures={figures.data} /> : null}
      actions={endpoint && maySend ? <Acts endpoint={endpoint} figures={figures.data} onAct={setAct} /> : null}
    >
      <Loaded of={read} lines={8}>
        {(found) => (
          <>
            {found.status === 'disabled' ? (
              <Note tone="bad">
                The receiver answered that the endpoint is gone (410): deliveries fail until the endpoint is enabled.
              </Note>
            ) : null}
            {found.takes.length === 0 ? (
              <Note tone="wait">
                No type of event matches what this endpoint takes: nothing but tests is sent to it. Change its events.
              </Note>
            ) : null}
            <Loaded of={figures}>{(known) => (known ? <EndpointFigureCards figures={known} /> : null)}</Loaded>
            <EndpointFacts endpoint={found} isStaff={isStaff} />
            <EndpointDeliveries id={id} />
          </>
        )}
      </Loaded>
      {act && endpoint ? <EndpointActDialog act={act} endpoint={endpoint} onClose={() => setAct(null)} /> : null}
    </Page>
  )
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

function Acts({
  endpoint,
  figures,
  onAct,
}: {
  endpoint: Endpoint
  figures: Figures | undefined
  onAct(act: EndpointAct): void
}) {
  const isPaused = figures?.pausedUntil != null && Date.parse(figures.pausedUntil) > Date.now()
  const isDisabled = endpoint.status === 'disabled'
  const mayChange = useMayChange()
  return (
    <>
      {mayChange && (isDisabled || isPaused) ? (
        <Button look="main" icon="play" onClick={() => onAct('enable')}>
          {isDisabled ? 'Enable' : 'End the pause'}
        </Button>
      ) : null}
      <Button icon="refresh" disabled={isDisabled} onClick={() => onAct('recover')}>
        Recover
      </Button>
      <Button icon="out" disabled={isDisabled} onClick={() => onAct('test')}>
        Test
      </Button>
      {mayChange ? (
        <>
          <Button onClick={() => onAct('change')}>Change</Button>
          <Button icon="key" onClick={() => onAct('rotate')}>
            New secret
          </Button>
          <MoreActs label="Other acts" acts={[['Delete', () => onAct('delete')]]} />
        </>
      ) : null}
    </>
  )
}

function EndpointFigureCards({ figures }: { figures: NonNullable<Figures> }) {
  const { delivered, failed, pending, failuresInRow, isPartial } = figures
  const ended = delivered + failed
  const of = isPartial ? 'of the newest 1,000' : 'in the last 24 hours'
  return (
    <div class="figures">
      <Figure
        label="Success"
        value={ended === 0 ? '–' : shareOf(delivered, ended)}
        tone={ended > 0 && delivered / ended < 0.9 ? 'bad' : undefined}
        note={ended === 0 ? 'none ended' : of}
      />
      <Figure label="Delivered" value={formatCount(delivered)} note={of} />
      <Figure label="Failed" value={formatCount(failed)} tone={failed > 0 ? 'bad' : undefined} note={of} />
      <Figure
        label="Under way"
        value={formatCount(pending)}
        note={pending > 0 ? 'retried automatically' : 'none waiting'}
      />
      <Figure
        label="Failures in a row"
        value={formatCount(failuresInRow)}
        tone={failuresInRow > 0 ? 'wait' : undefined}
        note={
          figures.lastSuccessAt ? <Ago what="last success" at={figures.lastSuccessAt} /> : 'no success in this time'
        }
      />
    </div>
  )
}

const EndpointFacts = ({ endpoint, isStaff }: { endpoint: Endpoint; isStaff: boolean }) => (
  <Card title="Endpoint">
    <Facts
      of={[
        ['URL', endpoint.url],
        ['Events', <Taken of={endpoint} />],
        [
          'Institution',
          isStaff ? <Organisation of={{ participantId: endpoint.participantId, custodianId: null }} /> : null,
        ],
        ['Id', <Id value={endpoint.id} />],
        ['Registered', <Time at={endpoint.createdAt} zone />],
        [
          'Previous secret',
          endpoint.previousSecretUntil ? (
            <>
              signs as well until <Time at={endpoint.previousSecretUntil} />
            </>
          ) : null,
        ],
      ]}
    />
  </Card>
)

/** What it takes, as it was chosen; patterns with the types that they mean. */
function Taken({ of: { eventTypes, takes } }: { of: Endpoint }) {
  if (eventTypes.length === 0) return <>All events</>
  const isExact = eventTypes.every((pattern) => takes.includes(pattern))
  return (
    <>
      {eventTypes.map((pattern) => (
        <code key={pattern} class="event-name">
          {pattern}
        </code>
      ))}
      {isExact ? null : (
        <span class="sub">{takes.length === 0 ? 'No type matches.' : `That is: ${takes.join(', ')}.`}</span>
      )}
    </>
  )
}

const states = [
  ['', 'All'],
  ['failed', 'Failed'],
  ['pending_retry', 'Under way'],
  ['delivered', 'Delivered'],
] as const

function EndpointDeliveries({ id }: { id: string }) {
  const state = useTabs('status', states)
  return (
    <section class="stack" aria-label="Deliveries to this endpoint">
      <div class="ends">
        <h2>Deliveries</h2>
        <Tabs label="State" of={state} />
      </div>
      <DeliveryTable
        filters={{ endpointId: id, status: state.value, event: '', resourceId: '', from: '', to: '' }}
        isOfEndpoint
        onClear={state.value === '' ? undefined : () => state.choose('')}
      />
    </section>
  )
}
