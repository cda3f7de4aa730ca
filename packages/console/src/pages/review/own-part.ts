import type { ReviewItem } from './review-query'

type ReviewTerms = Pick<ReviewItem, 'required' | 'approvals' | 'enteredBy'>

/** Whether this user may approve it. A return is not sent to a party that has failed the screening. */
export const mayApprove = (item: ReviewTerms & Pick<ReviewItem, 'returns'>, userId: string): boolean =>
  !item.returns && ownPart(item, userId) === null

/** Why this user may not approve: they entered or approved it already; null if they may. */
export function ownPart({ required, approvals, enteredBy }: ReviewTerms, userId: string): string | null {
  if (required < 2) return null
  if (enteredBy?.id === userId) return 'Entered by you'
  return approvals[0]?.actor?.id === userId ? 'Approved by you' : null
}
