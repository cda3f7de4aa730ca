import { type Claimed, doubling, type Rescheduling, type Store, workQueue } from '@bursar/store'
import { work } from './work.table'

/** The pauses of failed work. */
export interface RetryTuning {
  readonly firstMs: number
  readonly longestMs: number
}

/** From a second, doubled each time, to five minutes. */
export const retryTuning: RetryTuning = { firstMs: 1000, longestMs: 5 * 60 * 1000 }

/** The lease of an attempt: longer than its calls may take. */
export const leaseMs = 30_000

/** The queue of approved transactions; each row is deleted by the commit that ends its transaction. */
export const executionQueue = ({ firstMs, longestMs }: RetryTuning = retryTuning) =>
  workQueue(work, { id: 'transactionId', lane: 'lane', leaseMs, backoff: doubling(firstMs, longestMs) })

/** Makes work due at a given time, whatever its pause. */
export const wakeWork = executionQueue().wake

export type ExecutionQueue = ReturnType<typeof executionQueue>
export type ClaimedWork = Claimed<typeof work.$inferSelect>

/** Work whose attempt has ended, to be tried again. */
export interface Waiting {
  row: ClaimedWork
  why: Rescheduling
}

/** What writes the outcomes of attempts. */
export interface Settling {
  readonly store: Store
  readonly now: () => Date
  readonly retry: RetryTuning
  readonly queue: ExecutionQueue
}
