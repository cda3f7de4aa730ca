import { useAssignments } from '../../api/review-notes'
import { useSession } from '../../api/session'
import { groupedItems } from './review-groups'
import type { ReviewItem } from './review-query'

/** Those that are assigned to this user; undefined without rows. */
export function useMine(rows: readonly ReviewItem[] | undefined): ReviewItem[] | undefined {
  const { user } = useSession()
  const { data } = useAssignments(rows?.map(({ id }) => id) ?? [])
  if (!rows) return undefined
  const mine = new Set(data?.filter(({ userId }) => userId === user.id).map(({ transactionId }) => transactionId))
  return groupedItems(rows.filter(({ id }) => mine.has(id)))
}
