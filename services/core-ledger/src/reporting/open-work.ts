import { about, type Static, t } from '@bursar/contracts/schema'
import type { Db } from '@bursar/store'
import type { FourEyes } from '../approvals/four-eyes'
import { Stuck } from '../withdrawals/execution.model'
import { stuckTransactions } from '../withdrawals/stuck'
import { countOpen, OpenCount } from './counts'
import { ReviewItem, reviewQueue } from './review-queue'

/** How many of the oldest are shown. */
const mostOldest = 3
/** The number of stuck ones is counted up to this. */
const mostStuck = 100

/** GET /transactions/open: what waits for a person, at a glance. */
export const OpenWork = t.Object(
  {
    counts: about('Transactions that wait or have failed, by type and status', t.Array(OpenCount)),
    frozen: about('The oldest frozen transactions', t.Array(ReviewItem, { maxItems: mostOldest })),
    stuck: about('The oldest stuck transactions', t.Array(Stuck, { maxItems: mostOldest })),
    stuckCount: about('The number of stuck transactions; 100 also means more', t.Integer({ maximum: mostStuck })),
  },
  { title: 'OpenWork' },
)
type OpenWork = Static<typeof OpenWork>

/** The open work in one answer, for the first page of the console. */
export async function openWork(deps: { db: Db; fourEyes: FourEyes }, now: Date): Promise<OpenWork> {
  const [counts, frozen, stuck] = await Promise.all([
    countOpen(deps.db),
    reviewQueue(deps, { limit: mostOldest }),
    stuckTransactions(deps.db, { limit: mostStuck }, now),
  ])
  return { counts, frozen, stuck: stuck.slice(0, mostOldest), stuckCount: stuck.length }
}
