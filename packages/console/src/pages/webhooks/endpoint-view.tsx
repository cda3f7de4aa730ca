import { useState } from 'preact/hooks'
import { formatCount } from '../../format/amount'
import { Button } from '../../ui/button'
import { Card, Facts, Figure } from '../../ui/card'
import { useFilters } from '../../ui/filters'
import { Id } from '../../ui/id'
import { Page } from '../../ui/page'
import { Loaded, Note } from '../../ui/states'
import { Tabs } from '../../ui/tabs'
import { Age, Time } from '../../ui/time'
import { DeliveryTable } from './delivery-table'
import { type EndpointAct, EndpointActDialog } from './endpoint-acts'
import { EndpointState } from './endpoint-state'
import { useMayAct } from './may-act'
import { shareOf } from './share'
import { type Endpoint, type Figures, useEndpoint, useFigures } from './webhook-queries'

/** One endpoint: its figures, its deliveries, and the acts when it fails. */
export function EndpointView({ id }: { id: string }) {
  const read = useEndpoint(id)
  const figures = useFigures(id)
  const mayAct = useMayAct()
  const [act, setAct] = useState<EndpointAct | null>(null)
  const endpoint = read.data
  return (
    <Page
      title={endpoint ? hostOf(endpoint.url) : 'Endpoint'}
      up={{ href: '/console/webhooks', words: 'Webhooks' }}
      badge={endpoint ? <EndpointState endpoint={endpoint} figures={figures.data} /> : null}
      actions={endpoint && mayAct ? <Acts endpoint={endpoint} figures={figures.data} onAct={setAct} /> : null}
    >
      <Loaded of={read} lines={8}>
        {(found) => (
          <>
            {found.status === 'disabled' ? (
              <Note tone="bad">
                The receiver answered that the endpoint is gone (410): deliveries fail until the endpoint is enabled.
              </Note>
            ) : null}
            <Loaded of={figures}>{(known) => <EndpointFigureCards figures={known} />}</Loaded>
            <EndpointFacts endpoint={found} />
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
  return (
    <>
      {isDisabled || isPaused ? (
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
      <Button icon="key" onClick={() => onAct('rotate')}>
        New secret
      </Button>
    </>
  )
}

function EndpointFigureCards({ figures }: { figures: Figures }) {
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
          figures.lastSuccessAt ? (
            <>
              last success <Age since={figures.lastSuccessAt} /> ago
            </>
          ) : (
            'no success in this time'
          )
        }
      />
    </div>
  )
}

const EndpointFacts = ({ endpoint }: { endpoint: Endpoint }) => (
  <Card title="Endpoint">
    <Facts
      of={[
        ['URL', endpoint.url],
        ['Events', endpoint.eventTypes.length === 0 ? 'All events' : endpoint.eventTypes.join(', ')],
        [
          'Participant',
          <Id
            key="participant"
            value={endpoint.participantId}
            href={`/console/participants/${endpoint.participantId}`}
          />,
        ],
        ['Id', <Id key="id" value={endpoint.id} />],
        ['Registered', <Time key="created" at={endpoint.createdAt} zone />],
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

const states = [
  { value: '', words: 'All' },
  { value: 'failed', words: 'Failed' },
  { value: 'pending_retry', words: 'Under way' },
  { value: 'delivered', words: 'Delivered' },
]

function EndpointDeliveries({ id }: { id: string }) {
  const { values, set } = useFilters(['status'])
  return (
    <section class="stack" aria-label="Deliveries to this endpoint">
      <div class="section-head">
        <h2>Deliveries</h2>
        <Tabs label="State" tabs={states} value={values.status} onChange={(value) => set('status', value)} />
      </div>
      <DeliveryTable
        filters={{ endpointId: id, status: values.status, event: '', resourceId: '', from: '', to: '' }}
        isOfEndpoint
        onClear={values.status === '' ? undefined : () => set('status', '')}
      />
    </section>
  )
}
