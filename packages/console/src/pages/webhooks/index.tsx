import { DialogButton } from '../../ui/dialog-button'
import { Filters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Tabs, useTabs } from '../../ui/tabs'
import { type BoundFilters, useFilters } from '../../ui/use-filters'
import { DeliveryTable } from './delivery-table'
import { DeliveryView } from './delivery-view'
import { EndpointTable } from './endpoint-table'
import { EndpointView } from './endpoint-view'
import { EventCatalogue } from './event-catalogue'
import { useMayChange } from './may-act'
import { RegisterEndpoint } from './register-endpoint'
import { deliveryFilters, useEventTypes } from './webhook-queries'

/** Webhook endpoints and their deliveries. */
export default function Webhooks() {
  const { values } = useFilters(['delivery', 'endpointId', 'tab'])
  if (values.delivery !== '') return <DeliveryView key={values.delivery} id={values.delivery} />
  if (values.endpointId !== '') return <EndpointView key={values.endpointId} id={values.endpointId} />
  return <Lists />
}

const tabs = [
  ['', 'Endpoints'],
  ['deliveries', 'Deliveries'],
  ['events', 'Events'],
] as const

function Lists() {
  const tab = useTabs('tab', tabs)
  const filters = useFilters(deliveryFilters)
  const mayRegister = useMayChange()
  return (
    <Page
      title="Webhooks"
      actions={
        <>
          <Tabs label="What is shown" of={tab} />
          {mayRegister && tab.value === '' ? (
            <DialogButton look="main" icon="plus" dialog={(close) => <RegisterEndpoint onClose={close} />}>
              Register an endpoint
            </DialogButton>
          ) : null}
        </>
      }
    >
      {tab.value === 'deliveries' ? (
        <>
          <DeliveryFilterBar of={filters} />
          <DeliveryTable filters={filters.values} onClear={filters.hasAny ? filters.clear : undefined} />
        </>
      ) : tab.value === 'events' ? (
        <EventCatalogue />
      ) : (
        <EndpointTable />
      )}
    </Page>
  )
}

const states = [
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
  ['pending_retry', 'Under way'],
] as const

/** The filters of all deliveries. */
function DeliveryFilterBar({ of }: { of: BoundFilters<(typeof deliveryFilters)[number]> }) {
  const types = useEventTypes().data ?? []
  return (
    <Filters
      label="Filter deliveries"
      of={of}
      fields={[
        { kind: 'text', name: 'resourceId', label: 'About (id)', isWide: true },
        { kind: 'choice', name: 'status', label: 'State', options: states },
        { kind: 'choice', name: 'event', label: 'Event', options: types.map(({ type }) => [type, type] as const) },
        { kind: 'period', name: 'from', to: 'to', label: 'Days' },
      ]}
    />
  )
}
