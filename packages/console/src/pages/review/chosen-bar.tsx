import { useSession } from '../../api/session'
import { Button } from '../../ui/button'
import { SelectionBar } from '../../ui/run-dialog'
import { mayApprove } from './own-part'
import type { ReviewDecision, ReviewItem } from './review-query'
import { SelectedSums } from './selected-sums'

/** One decision about several; `leftOut` are those that this user may not approve. */
export interface ManyDecision {
  decision: ReviewDecision
  of: readonly ReviewItem[]
  leftOut: number
}

interface Props {
  of: readonly ReviewItem[]
  clear(): void
  decide(what: ManyDecision): void
}

/** The selected transactions, their sums, and what can be decided about all of them. */
export function ChosenBar({ of, clear, decide }: Props) {
  const { user } = useSession()
  const approvable = of.filter((item) => mayApprove(item, user.id))
  return (
    <SelectionBar of={of} thing="transaction" sums={<SelectedSums of={of} />} clear={clear}>
      <Button isSmall look="danger" onClick={() => decide({ decision: 'reject', of, leftOut: 0 })}>
        Reject {of.length}…
      </Button>
      <Button
        isSmall
        look="main"
        disabled={approvable.length === 0}
        onClick={() => decide({ decision: 'approve', of: approvable, leftOut: of.length - approvable.length })}
      >
        Approve {approvable.length}…
      </Button>
    </SelectionBar>
  )
}
