import { type BoundFilters, Filters } from '../../ui/filters'
import type { deliveryFilters } from './webhook-queries'

const states = [
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
  ['pending_retry', 'Under way'],
] as const

/** The filters of all deliveries. */
export const DeliveryFilterBar = ({ of }: { of: BoundFilters<(typeof deliveryFilters)[number]> }) => (
  <Filters
    label="Filter deliveries"
    of={of}
    fields={[
      { kind: 'choice', name: 'status', label: 'State', options: states },
      { kind: 'text', name: 'event', label: 'Event type' },
      { kind: 'text', name: 'resourceId', label: 'About (id)', isWide: true },
      { kind: 'period', name: 'from', to: 'to', label: 'Days' },
    ]}
  />
)
