import { toWords } from '../../../format/words'
import { Card } from '../../../ui/card'
import { Loaded } from '../../../ui/states'
import { Status } from '../../../ui/status'
import { Time } from '../../../ui/time'
import { type Mark, useDeliveries, useEvents } from './story-query'

/** The events that its participants received: polled ones, and the webhooks that delivered them. */
export function EventsCard({ of }: { of: Mark }) {
  const events = useEvents(of)
  const ids = events.data?.data.map(({ id }) => id) ?? []
  const deliveries = useDeliveries(of, ids)
  return (
    <Card title="Notifications and webhooks">
      <Loaded of={events}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="hint">No event has been published for participants.</p>
          ) : (
            <ul class="rows">
              {data.map((event) => (
                <li key={event.id}>
                  <Time at={event.timestamp} ms />
                  <span>
                    {toWords(event.type.replace('.', ' '))}: <b>{toWords(event.data.status).toLowerCase()}</b>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {ids.length === 0 ? null : <h3>Webhooks</h3>}
      {ids.length === 0 ? null : (
        <Loaded of={deliveries} lines={2}>
          {({ deliveries: list }) =>
            list.length === 0 ? (
              <p class="hint">No webhook endpoint subscribes to these events.</p>
            ) : (
              <ul class="rows">
                {list.map((delivery) => (
                  <Delivery key={delivery.deliveryId} of={delivery} />
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
    </Card>
  )
}

type DeliveryEntry = NonNullable<ReturnType<typeof useDeliveries>['data']>['deliveries'][number]

function Delivery({ of }: { of: DeliveryEntry }) {
  const { deliveryId, webhookUrl, status, attemptCount, httpStatus, lastError, createdAt } = of
  return (
    <li>
      <Time at={createdAt} ms />
      <span>
        <a href={`/console/webhooks?delivery=${deliveryId}`}>{webhookUrl}</a>
        <span class="sub">
          {attemptCount === 1 ? '1 attempt' : `${attemptCount} attempts`}
          {httpStatus ? `, answered ${httpStatus}` : ''}
          {lastError && status !== 'delivered' ? `: ${lastError}` : ''}
        </span>
      </span>
      <Status value={status} />
    </li>
  )
}
