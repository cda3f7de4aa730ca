import { useState } from 'preact/hooks'
import { wholeList } from '../../api/list'
import { useCan } from '../../api/session'
import { type Column, DataTable } from '../../ui/data-table'
import { Organisation } from '../../ui/organisations'
import { Pagination } from '../../ui/pagination'
import { Empty } from '../../ui/states'
import { Age } from '../../ui/time'
import { EndpointState } from './endpoint-state'
import { useMayChange } from './may-act'
import { SuccessShare } from './success-share'
import { type Endpoint, useEndpoints, useFigures } from './webhook-queries'

const limit = 25

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

/** All endpoints with their success rates. */
export function EndpointTable() {
  const [offset, setOffset] = useState(0)
  const mayRegister = useMayChange()
  const isStaff = useCan('read')
  const read = useEndpoints(offset, limit)
  const list = wholeList({ ...read, data: read.data?.slice(0, limit) })
  return (
    <>
      <DataTable
        label="Endpoints"
        columns={isStaff ? [...columns.slice(0, 1), owner, ...columns.slice(1)] : columns}
        list={{ ...list, total: null }}
        idOf={({ id }) => id}
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
      {read.data && (offset > 0 || read.data.length > limit) ? (
        <Pagination offset={offset} limit={limit} count={read.data.length} onChange={setOffset} />
      ) : null}
    </>
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
  return data.lastSuccessAt ? (
    <span>
      <Age since={data.lastSuccessAt} /> ago
    </span>
  ) : (
    <span class="none">none</span>
  )
}
