import type { WebhookDeps } from '../deps'
import { countPaused, countPending } from './figures'

/** The figures that an operator watches. */
export function addSendingGauges({ metrics, store, now }: WebhookDeps): void {
  metrics.add({
    name: 'bursar_webhook_pending',
    help: 'Deliveries that are not yet delivered and have not failed',
    read: () => countPending(store.read),
  })
  metrics.add({
    name: 'bursar_webhook_paused_targets',
    help: 'Receivers that are left alone for a while because they keep failing, or asked for it',
    read: () => countPaused(store.read, now()),
  })
}
