import { and, count, isNotNull, prepared } from '@bursar/store'
import { deliveryList } from '../deliveries/find-deliveries'
import type { WebhookDeps } from '../deps'
import { targets } from '../targets/targets.table'

/** The gauges of deliveries. */
export function addSendingGauges({ metrics, store }: Pick<WebhookDeps, 'metrics' | 'store'>): void {
  metrics.add({
    name: 'bursar_webhook_pending',
    help: 'Deliveries that are not yet delivered and have not failed, counted to 100,001',
    read: () => deliveryList.count(store.read, { status: 'pending_retry' }),
  })
  metrics.add({
    name: 'bursar_webhook_paused_targets',
    help: 'Receivers with waiting deliveries that were paused, for failures or as they asked, and have taken none since',
    read: async () => (await paused(store.read).execute())[0]?.targets ?? 0,
  })
}

/** Also between a pause and the next, while a delivery is tried: an alert must not begin anew with each pause. */
const paused = prepared((db) =>
  db
    .select({ targets: count() })
    .from(targets)
    .where(and(isNotNull(targets.pausedUntil), isNotNull(targets.dueAt))),
)
