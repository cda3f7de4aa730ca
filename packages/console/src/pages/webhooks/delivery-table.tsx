import { Button } from '../../ui/button'
import { type Column, DataTable } from '../../ui/data-table'
import { Id } from '../../ui/id'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { Ago, In, Time } from '../../ui/time'
import { Url } from './endpoint-table'
import { type Delivery, type DeliveryFilters, useDeliveries } from './webhook-queries'

const common: readonly Column<Delivery>[] = [
  { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, narrow: 'sub-end' },
  { head: 'Event', cell: ({ eventType }) => <code>{eventType}</code>, narrow: 'lead' },
]
const endpoint: Column<Delivery> = {
  head: 'Endpoint',
  cell: ({ webhookUrl }) => <Url of={webhookUrl} />,
  needsRoom: true,
}
const rest: readonly Column<Delivery>[] = [
  { head: 'About', cell: ({ requestId }) => <Id value={eventOf(requestId)} isBare />, narrow: 'sub', needsRoom: true },
  { head: 'State', cell: ({ status }) => <DeliveryStatus value={status} />, narrow: 'end' },
  { head: 'Attempts', cell: (delivery) => <Attempts of={delivery} />, narrow: 'hide', needsRoom: 'much' },
  { head: 'Result', cell: (delivery) => <Outcome of={delivery} />, isWide: true },
]
/** An event that goes to several institutions has the institution's id behind its own. */
const eventOf = (requestId: string) => requestId.split('.')[0]
const ofEndpoint = [...common, ...rest]
const ofAll = [...common, endpoint, ...rest]

/** Deliveries that match the filters; without the endpoint's column if there is only one. */
export function DeliveryTable({
  filters,
  isOfEndpoint,
  onClear,
}: {
  filters: DeliveryFilters
  isOfEndpoint?: boolean
  onClear?: () => void
}) {
  const list = useDeliveries(filters)
  return (
    <DataTable
      label="Deliveries"
      columns={isOfEndpoint ? ofEndpoint : ofAll}
      list={list}
      idOf={({ deliveryId }) => deliveryId}
      hrefOf={({ deliveryId }) => `/console/webhooks?delivery=${deliveryId}`}
      empty={
        <Empty icon="webhooks" title={onClear ? 'No delivery matches these filters' : 'Nothing has been delivered yet'}>
          <p>Each event is delivered to every endpoint that subscribes to its type.</p>
          {onClear ? <Button onClick={onClear}>Clear the filters</Button> : null}
        </Empty>
      }
    />
  )
}

const Attempts = ({ of: { attemptCount, maxRetries } }: { of: Delivery }) => (
  <span>
    {attemptCount} <span class="hint">of {maxRetries + 1}</span>
  </span>
)

/** The last answer, or why there was none; and when the next attempt is. */
function Outcome({ of: { status, httpStatus, lastError, nextAttemptAt, successAt } }: { of: Delivery }) {
  if (status === 'delivered') {
    return (
      <span>
        {httpStatus} {successAt ? <Ago what="·" at={successAt} /> : null}
      </span>
    )
  }
  return (
    <span>
      {lastError ?? 'No attempt yet'}
      <span class="hint">{nextAttemptAt ? <In what=" · again" at={nextAttemptAt} /> : null}</span>
    </span>
  )
}

/** The state of a delivery; one that waits for a retry counts as in progress. */
export const DeliveryStatus = ({ value }: { value: 'delivered' | 'failed' | 'pending_retry' | 'not_found' }) =>
  value === 'pending_retry' ? <Status value="under way" tone="move" /> : <Status value={value} />
