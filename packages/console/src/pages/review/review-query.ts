import { useList } from '../../api/list'
import { core, pageOf } from '../../api/services'

/** Transactions that wait for a decision, oldest first; read often, because others decide as well. */
export const useReview = () =>
  useList({
    key: ['transactions', 'review'],
    page: (after, limit, signal) =>
      pageOf(core.GET('/transactions/review', { params: { query: { after, limit } }, signal })),
    everyMs: 15_000,
  })

export type ReviewDecision = 'approve' | 'reject'
export type ReviewItem = NonNullable<ReturnType<typeof useReview>['rows']>[number]
