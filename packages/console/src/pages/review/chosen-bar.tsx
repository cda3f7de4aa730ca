import { useSession } from '../../api/session'
import { counted } from '../../format/words'
import { Button } from '../../ui/button'
import { ownPart } from './own-part'
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
  const approvable = of.filter((item) => ownPart(item, user.id) === null && !item.returns)
  return (
    <section class="card chosen" aria-label="Selected transactions">
      <strong>{counted(of.length, 'transaction')} selected</strong>
      <SelectedSums of={of} />
      <span class="chosen-acts">
        <Button isSmall look="quiet" icon="cross" onClick={clear}>
          Clear
        </Button>
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
      </span>
    </section>
  )
}
