import type { ReviewItem } from './review-query'

type ReviewTerms = Pick<ReviewItem, 'required' | 'approvals' | 'enteredBy'>

/** Why this user may not approve: they entered or approved it already; null if they may. */
export function ownPart({ required, approvals, enteredBy }: ReviewTerms, userId: string): string | null {
  if (required < 2) return null
  if (enteredBy?.id === userId) return 'Entered by you'
  return approvals[0]?.actor?.id === userId ? 'Approved by you' : null
}
