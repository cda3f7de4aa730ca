import { useState } from 'preact/hooks'
import { useSession } from '../../api/session'
import { counted } from '../../format/words'
import { Button } from '../../ui/button'
import { DecideMany } from './decide-many'
import type { Decision } from './decision-dialog'
import { ownPart } from './own-part'
import type { ReviewItem } from './review-query'
import { SelectedSums } from './selected-sums'

interface Props {
  of: readonly ReviewItem[]
  clear(): void
  onSent(ids: readonly string[]): void
}

/** The selected transactions, their sums, and what can be decided about all of them. */
export function ChosenBar({ of, clear, onSent }: Props) {
  const { user } = useSession()
  // The list changes while its decisions are sent; the dialog keeps what was confirmed.
  const [open, setOpen] = useState<{ decision: Decision; items: readonly ReviewItem[] } | null>(null)
  const approvable = of.filter((item) => ownPart(item, user.id) === null && !item.returns)
  return (
    <section class="card chosen" aria-label="Selected transactions">
      <strong>{counted(of.length, 'transaction')} selected</strong>
      <SelectedSums of={of} />
      <span class="chosen-acts">
        <Button isSmall look="quiet" icon="cross" onClick={clear}>
          Clear
        </Button>
        <Button isSmall look="danger" onClick={() => setOpen({ decision: 'reject', items: of })}>
          Reject {of.length}…
        </Button>
        <Button
          isSmall
          look="main"
          disabled={approvable.length === 0}
          onClick={() => setOpen({ decision: 'approve', items: approvable })}
        >
          Approve {approvable.length}…
        </Button>
      </span>
      {open ? (
        <DecideMany
          decision={open.decision}
          of={open.items}
          leftOut={open.decision === 'approve' ? of.length - approvable.length : 0}
          onSent={onSent}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </section>
  )
}
