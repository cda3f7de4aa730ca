import { asc, every, lt, lte, param, prepared, type Tx, type Worker } from '@bursar/store'
import type { NotificationDeps } from '../deps'
import { events, listedEvents } from './events.table'
import { newestTimestamp } from './record-events'

const everyMs = 60 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000
/** The number of events that one commit deletes: small, so that other commits never wait long. */
const chunk = 200

/**
 * Deletes events older than the retention time, except the newest one: the next
 * event's timestamp must be later than its.
 */
export async function sweepEvents({ store, config, now }: Pick<NotificationDeps, 'store' | 'config' | 'now'>) {
  const before = new Date(now().getTime() - config.retentionDays * dayMs)
  let more = true
  while (more) more = await store.commit((tx) => deleteOldest(tx, before))
}

/** Deletes the oldest chunk. Returns true when there may be more. */
async function deleteOldest(tx: Tx, before: Date): Promise<boolean> {
  const newest = await newestTimestamp(tx)
  if (!newest) return false
  const old = await oldest(tx).execute({ before: newest < before ? newest : before, chunk })
  const upTo = old.at(-1)?.timestamp
  if (!upTo) return false
  await deleteListed(tx).execute({ upTo })
  await deleteEvents(tx).execute({ upTo })
  return old.length === chunk
}

/** Sweeps every hour. */
export const startRetention = (deps: NotificationDeps): Worker =>
  every(everyMs, (store) => sweepEvents({ ...deps, store }), {
    log: deps.log,
    name: 'The deletion of old events',
    firstMs: 60_000,
    alone: deps.store,
  })

const oldest = prepared((db) =>
  db
    .select({ timestamp: events.timestamp })
    .from(events)
    .where(lt(events.timestamp, param('before')))
    .orderBy(asc(events.timestamp))
    .limit(param('chunk')),
)
const deleteListed = prepared((db) => db.delete(listedEvents).where(lte(listedEvents.timestamp, param('upTo'))))
const deleteEvents = prepared((db) => db.delete(events).where(lte(events.timestamp, param('upTo'))))
