import './webhooks.css'
import { useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { DeliveryFilterBar } from './delivery-filter-bar'
import { DeliveryTable } from './delivery-table'
import { DeliveryView } from './delivery-view'
import { EndpointTable } from './endpoint-table'
import { EndpointView } from './endpoint-view'
import { deliveryFilters } from './webhook-queries'

/** Where events go, and whether they get there. */
export default function Webhooks() {
  const { values } = useFilters(['delivery', 'endpointId', 'tab'])
  if (values.delivery !== '') return <DeliveryView key={values.delivery} id={values.delivery} />
  if (values.endpointId !== '') return <EndpointView key={values.endpointId} id={values.endpointId} />
  return <Lists />
}

const tabs = [
  { value: '', words: 'Endpoints' },
  { value: 'deliveries', words: 'Deliveries' },
]

function Lists() {
  const { values, set } = useFilters(['tab'])
  const filters = useFilters(deliveryFilters)
  return (
    <Page
      title="Webhooks"
      actions={<Tabs label="What is shown" tabs={tabs} value={values.tab} onChange={(tab) => set('tab', tab)} />}
    >
      {values.tab === 'deliveries' ? (
        <>
          <DeliveryFilterBar of={filters} />
          <DeliveryTable filters={filters.values} onClear={filters.hasAny ? filters.clear : undefined} />
        </>
      ) : (
        <EndpointTable />
      )}
    </Page>
  )
}
