import type { Store, Tx } from '@bursar/store'
import { type Work, workOf } from './read-work'
import { type RetryTuning, retryDelayMs } from './retry-delay'
import { updateWork } from './update-work'

export interface Settling {
  readonly store: Store
  readonly now: () => Date
  readonly retry: RetryTuning
}

/** Puts work off that failed for a reason of our own. The reason stays in the log. */
export async function putOffBroken(tx: Tx, settling: Settling, id: string): Promise<void> {
  const job = await workOf(tx, id)
  if (job) await putOff(tx, settling, job, { ...job, lastError: 'It could not be carried out; the log says why' })
}

/** Has work wait for its next attempt, by the number of attempts. */
export async function putOff(tx: Tx, { now, retry }: Settling, { dueAt: seenDueAt }: Work, job: Work): Promise<void> {
  const attempts = job.attempts + 1
  const at = now().getTime()
  // Later than it was, which marks the attempt before as out of date; unless a wrong clock has set it.
  const isSane = seenDueAt.getTime() <= at + retry.longestMs
  const dueAt = new Date((isSane ? Math.max(at, seenDueAt.getTime()) : at) + retryDelayMs(attempts, retry))
  await updateWork(tx).execute({ ...job, attempts, dueAt, leasedUntil: null, seenDueAt })
}
