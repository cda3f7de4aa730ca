import { Status } from '../../ui/status'

/** The state of a delivery; one that waits for a retry counts as in progress. */
export const DeliveryStatus = ({ value }: { value: 'delivered' | 'failed' | 'pending_retry' | 'not_found' }) =>
  value === 'pending_retry' ? <Status value="under way" tone="move" /> : <Status value={value} />
