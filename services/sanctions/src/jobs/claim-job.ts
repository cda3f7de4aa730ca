import { asc, eq, gt, lte, or, param, prepared, type Store } from '@bursar/store'
import type { JobRow } from './jobs'
import { jobs } from './jobs.table'

/** How long a job is one worker's alone. A screening that takes longer is given up (run-jobs.ts). */
export const leaseMs = 60_000

/** No job waits longer than so; one that is due later than that was put off before the clock was put back. */
const longestWaitMs = 15 * 60_000

/** The oldest job that is due, leased; undefined when none is. Should its worker die, it is due again when the lease ends. */
export async function claimJob(store: Store, now: Date): Promise<JobRow | undefined> {
  // Most looks find nothing: they take no turn in the commit queue.
  const horizon = new Date(now.getTime() + longestWaitMs)
  const [any] = await dueBy(store.read).execute({ now, horizon })
  if (!any) return undefined
  return await store.commit(async (tx) => {
    const [due] = await dueBy(tx).execute({ now, horizon })
    if (!due) return undefined
    const dueAt = new Date(now.getTime() + leaseMs)
    await lease(tx).execute({ id: due.id, dueAt })
    return { ...due, dueAt }
  })
}

const dueBy = prepared((db) =>
  db
    .select()
    .from(jobs)
    .where(or(lte(jobs.dueAt, param('now')), gt(jobs.dueAt, param('horizon'))))
    .orderBy(asc(jobs.dueAt))
    .limit(1),
)
const lease = prepared((db) =>
  db
    .update(jobs)
    .set({ dueAt: param('dueAt') })
    .where(eq(jobs.id, param('id'))),
)
