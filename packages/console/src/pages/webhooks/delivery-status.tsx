import { Badge, Status } from '../../ui/status'

/** The state of a delivery; one whose retry follows moves. */
export const DeliveryStatus = ({ value }: { value: 'delivered' | 'failed' | 'pending_retry' | 'not_found' }) =>
  value === 'pending_retry' ? (
    <Badge tone="move" icon="moving">
      Under way
    </Badge>
  ) : (
    <Status value={value} />
  )
