import type { WebhookDeps } from '../deps'
import { type FailedFilter, failedSince, replay } from './replay'

/** The maximum that one request replays. */
const most = 10_000
/** Deliveries that one commit replays. */
const chunk = 200

/**
 * Replays deliveries that failed at a time or later, in several commits, oldest first. Those without an endpoint stay
 * failed. `more` is true when others may be left.
 */
export async function replayFailed(
  { store, schedule, queue, now }: Pick<WebhookDeps, 'store' | 'schedule' | 'queue' | 'now'>,
  filter: FailedFilter,
): Promise<{ count: number; more: boolean }> {
  let after = ''
  let replayed = 0
  for (;;) {
    const { rows, count } = await store.commit(async (tx) => {
      const rows = await failedSince(tx, filter, { after, limit: chunk })
      let count = 0
      for (const row of rows) if (await replay(tx, row, schedule.maxRetries, { queue, now: now() })) count += 1
      return { rows, count }
    })
    replayed += count
    const last = rows.at(-1)
    if (last === undefined || rows.length < chunk) return { count: replayed, more: false }
    if (replayed >= most) return { count: replayed, more: true }
    after = last.id
  }
}
