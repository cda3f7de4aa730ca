import { count, type Db, eq, gt, param, prepared } from '@bursar/store'
import { deliveries } from '../deliveries/deliveries.table'
import type { WebhookDeps } from '../deps'
import { targets } from '../targets/targets.table'

/** The gauges of deliveries. */
export function addSendingGauges({ metrics, store, now }: WebhookDeps): void {
  metrics.add({
    name: 'bursar_webhook_pending',
    help: 'Deliveries that are not yet delivered and have not failed',
    read: () => countPending(store.read),
  })
  metrics.add({
    name: 'bursar_webhook_paused_targets',
    help: 'Receivers that are paused because they keep failing, or asked for it',
    read: () => countPaused(store.read, now()),
  })
}

async function countPending(db: Db): Promise<number> {
  const [row] = await pending(db).execute()
  return row?.deliveries ?? 0
}

async function countPaused(db: Db, now: Date): Promise<number> {
  const [row] = await paused(db).execute({ now })
  return row?.targets ?? 0
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
