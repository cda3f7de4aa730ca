import type { List } from '../../api/list'
import { useAssignments } from '../../api/review-notes'
import { useSession } from '../../api/session'
import { groupedItems } from './review-groups'
import type { ReviewItem } from './review-query'

/** In groups: all of them, or those that are assigned to this user. */
export function useMine(all: List<ReviewItem>, isMine: boolean): List<ReviewItem> {
  const { user } = useSession()
  const rows = all.rows && groupedItems(all.rows)
  const { data, error, refetch } = useAssignments(isMine ? (rows ?? []).map(({ id }) => id) : [])
  if (!isMine || rows === undefined || rows.length === 0) return { ...all, rows }
  const mine = new Set(data?.filter(({ userId }) => userId === user.id).map(({ transactionId }) => transactionId))
  return {
    ...all,
    rows: data && rows.filter(({ id }) => mine.has(id)),
    error: all.error ?? error,
    reload() {
      all.reload()
      void refetch()
    },
  }
}
