import { count, type Db, eq, gt, param, prepared } from '@bursar/store'
import { deliveries } from '../deliveries/deliveries.table'
import { targets } from './targets.table'

export async function countPending(db: Db): Promise<number> {
  const [row] = await pending(db).execute()
  return row?.deliveries ?? 0
}

export async function countPaused(db: Db, now: Date): Promise<number> {
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
