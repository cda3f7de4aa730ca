import { counted } from '../../format/words'
import { Amount } from '../../ui/amount'
import { OwnerName } from '../../ui/names'
import { RunDialog } from '../../ui/run-dialog'
import { decide, readAgain } from '../transactions/decide'
import { noteOf } from '../transactions/decision-dialog'
import { kindWord } from '../transactions/kind'
import type { ReviewDecision, ReviewItem } from './review-query'
import { SelectedSums } from './selected-sums'

type Result = 'approved' | 'proposed' | 'rejected'

interface Props {
  decision: ReviewDecision
  of: readonly ReviewItem[]
  /** How many of the selected ones this user may not approve. */
  leftOut: number
  /** These are decided, or were refused: they are no longer selected. */
  onSent(ids: readonly string[]): void
  onClose(): void
}

/** One decision about several transactions, with one reason. Each is decided by itself, as if it were alone. */
export function DecideMany({ decision, of, leftOut, onSent, onClose }: Props) {
  const verb = decision === 'approve' ? 'Approve' : 'Reject'
  return (
    <RunDialog
      title={`${verb} ${counted(of.length, 'transaction')}?`}
      verb={verb}
      thing="transaction"
      look={decision === 'approve' ? 'main' : 'danger'}
      note={noteOf(decision)}
      of={of}
      send={async (item, input): Promise<Result> => {
        const isProposed = await decide(decision, item, input)
        return decision === 'reject' ? 'rejected' : isProposed ? 'proposed' : 'approved'
      }}
      readAgain={readAgain}
      onEnded={() => onSent(of.map(({ id }) => id))}
      done={resultWords}
      name={(item) => (
        <>
          <strong>{kindWord(item.type)}</strong> <Amount value={item.amount} asset={item.asset.code} />{' '}
          <OwnerName accountId={item.accountId} />
        </>
      )}
      onClose={onClose}
    >
      <SelectedSums of={of} />
      <p>
        Each one is decided by itself: what a colleague has decided meanwhile is refused, and holds up no other.
        {decision === 'approve' && of.some(({ required }) => required > 1)
          ? ' Those that take two persons wait for the second one.'
          : ''}
      </p>
      {leftOut > 0 ? (
        <p class="hint">{counted(leftOut, 'transaction')} left out: you entered or approved them yourself.</p>
      ) : null}
    </RunDialog>
  )
}

/** `3 approved, 1 with the first of two approvals`. */
function resultWords(results: readonly Result[]): string {
  const count = (wanted: Result) => results.filter((result) => result === wanted).length
  const [approved, proposed, rejected] = [count('approved'), count('proposed'), count('rejected')]
  const parts = [
    approved > 0 ? `${approved} approved` : '',
    proposed > 0 ? `${proposed} with the first of two approvals` : '',
    rejected > 0 ? `${rejected} rejected` : '',
  ].filter(Boolean)
  return parts.length === 0 ? 'None decided' : parts.join(', ')
}
