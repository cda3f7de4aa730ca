import { count, eq, gt, param, prepared } from '@bursar/store'
import { deliveries } from '../deliveries/deliveries.table'
import type { WebhookDeps } from '../deps'
import { targets } from '../targets/targets.table'

/** The gauges of deliveries. */
export function addSendingGauges({ metrics, store, now }: WebhookDeps): void {
  metrics.add({
    name: 'bursar_webhook_pending',
    help: 'Deliveries that are not yet delivered and have not failed',
    read: async () => (await pending(store.read).execute())[0]?.deliveries ?? 0,
  })
  metrics.add({
    name: 'bursar_webhook_paused_targets',
    help: 'Receivers that are paused because they keep failing, or asked for it',
    read: async () => (await paused(store.read).execute({ now: now() }))[0]?.targets ?? 0,
  })
}

const pending = prepared((db) =>
  db.select({ deliveries: count() }).from(deliveries).where(eq(deliveries.status, 'pending_retry')),
)
const paused = prepared((db) =>
  db
    .select({ targets: count() })
    .from(targets)
    .where(gt(targets.pausedUntil, param('now'))),
)
