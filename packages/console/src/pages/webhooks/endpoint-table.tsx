import { useCan } from '../../api/session'
import { formatCount } from '../../format/amount'
import { type Column, DataTable } from '../../ui/data-table'
import { Organisation } from '../../ui/organisations'
import { Empty } from '../../ui/states'
import { Ago } from '../../ui/time'
import { EndpointState } from './endpoint-state'
import { useMayChange } from './may-act'
import { shareOf } from './share'
import { type Endpoint, type Figures, useEndpoints, useFigures } from './webhook-queries'

const columns: readonly Column<Endpoint>[] = [
  { head: 'Endpoint', cell: ({ url }) => <Url of={url} />, narrow: 'lead', isWide: true },
  { head: 'State', cell: (endpoint) => <StateCell endpoint={endpoint} />, narrow: 'end' },
  { head: 'Events', cell: (endpoint) => <Events of={endpoint} />, narrow: 'sub', needsRoom: true },
  { head: 'Last 24 hours', cell: ({ id }) => <ShareCell id={id} /> },
  { head: 'Last success', cell: ({ id }) => <LastSuccess id={id} />, needsRoom: 'much' },
]
const owner: Column<Endpoint> = {
  head: 'Institution',
  cell: ({ participantId }) => <Organisation of={{ participantId, custodianId: null }} />,
}
const staffColumns = columns.toSpliced(1, 0, owner)

/** All endpoints with their success rates. */
export function EndpointTable() {
  const mayRegister = useMayChange()
  const isStaff = useCan('read')
  const list = useEndpoints()
  return (
    <DataTable
      label="Endpoints"
      columns={isStaff ? staffColumns : columns}
      list={list}
      hrefOf={({ id }) => `/console/webhooks?endpointId=${id}`}
      empty={
        <Empty icon="webhooks" title="No endpoint is registered">
          <p>
            {mayRegister
              ? 'Use the button above to register the URL that events go to.'
              : 'An administrator of the institution registers the URLs that its events go to.'}
          </p>
        </Empty>
      }
    />
  )
}

/** The host is highlighted: it identifies the owner. */
export function Url({ of }: { of: string }) {
  if (!URL.canParse(of)) return <span class="none">no endpoint</span>
  const { protocol, host, pathname, search } = new URL(of)
  return (
    <span class="url" title={of}>
      <span class="url-soft">{`${protocol}//`}</span>
      {host}
      <span class="url-soft">{pathname + search}</span>
    </span>
  )
}

export function Events({ of: { eventTypes, takes } }: { of: Endpoint }) {
  if (eventTypes.length === 0) return <span class="hint">All events</span>
  const [first, ...others] = takes
  return (
    <span title={eventTypes.join(', ')}>
      <code>{first ?? eventTypes[0]}</code>
      {others.length > 0 ? <span class="hint"> and {others.length} more</span> : null}
    </span>
  )
}

const StateCell = ({ endpoint }: { endpoint: Endpoint }) => (
  <EndpointState endpoint={endpoint} figures={useFigures(endpoint.id).data} />
)
const ShareCell = ({ id }: { id: string }) => <SuccessShare figures={useFigures(id).data} />

function LastSuccess({ id }: { id: string }) {
  const { data } = useFigures(id)
  if (!data) return <span class="bone bone-2" />
  return data.lastSuccessAt ? <Ago at={data.lastSuccessAt} /> : <span class="none">none</span>
}

/** The share of an endpoint's deliveries of the last day that succeeded. */
function SuccessShare({ figures }: { figures: Figures | undefined }) {
  if (!figures) return <span class="bone bone-1" />
  const { delivered, failed, pending, isPartial } = figures
  const ended = delivered + failed
  if (ended === 0) return <span class="none">{pending > 0 ? `${formatCount(pending)} under way` : 'nothing sent'}</span>
  const share = delivered / ended
  return (
    <span class={`share tone-${share >= 0.99 ? 'good' : share >= 0.9 ? 'wait' : 'bad'}`}>
      <b>{shareOf(delivered, ended)}</b>{' '}
      <span class="hint">
        {formatCount(delivered)} of {isPartial ? 'the newest ' : ''}
        {formatCount(ended)}
      </span>
    </span>
  )
}
