import { Badge, Status } from '../../ui/status'
import { Age } from '../../ui/time'
import type { Endpoint, Figures } from './webhook-queries'

/** Whether deliveries are sent to an endpoint now, and whether any event is for it. */
export function EndpointState({ endpoint, figures }: { endpoint: Endpoint; figures: Figures | undefined }) {
  if (endpoint.status === 'disabled') return <Status value="disabled" />
  const { pausedUntil = null, failuresInRow = 0 } = figures ?? {}
  if (pausedUntil !== null && Date.parse(pausedUntil) > Date.now()) {
    return (
      <Badge tone="wait" icon="pause">
        Paused for <Age until={pausedUntil} />
      </Badge>
    )
  }
  if (failuresInRow > 0) return <Status value={`failing, ${failuresInRow} in a row`} tone="bad" />
  return endpoint.takes.length === 0 ? <Status value="takes no event" tone="wait" /> : <Status value="active" />
}
