import { readAgain } from '../review/decide'
import { DecisionDialog } from '../review/decision-dialog'
import { RetryDialog } from '../transactions/retry-dialog'
import type { WaitingItem } from './oldest-work'

export interface NeedsAct {
  act: 'approve' | 'reject' | 'retry'
  item: WaitingItem
  onClose(): void
}

/** The dialog of a button of the overview's open work. */
export default function NeedsDialog({ act, item, onClose }: NeedsAct) {
  if (item.is === 'stuck' || act === 'retry') return <RetryDialog id={item.id} onClose={onClose} />
  return <DecisionDialog decision={act} item={item.of} onDone={readAgain} onRefused={readAgain} onClose={onClose} />
}
