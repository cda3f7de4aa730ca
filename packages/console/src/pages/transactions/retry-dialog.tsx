import { core } from '../../api/services'
import { Act } from '../../ui/act'
import { readAgain } from '../review/decide'

/** Brings the next attempt of an approved transaction forward. */
export const RetryDialog = ({ id, onClose }: { id: string; onClose(): void }) => (
  <Act
    title="Try it now?"
    confirm="Try now"
    note={{ label: 'Note', hint: 'Kept with the transaction, for colleagues and auditors.' }}
    act={({ note, idempotencyKey }) =>
      core.POST('/transactions/{id}/retry', {
        params: { path: { id } },
        body: { note: note || null },
        headers: { 'idempotency-key': idempotencyKey },
      })
    }
    done="The next attempt begins now"
    onDone={readAgain}
    onRefused={readAgain}
    onClose={onClose}
  >
    <p>
      The next attempt begins at once instead of at its time. An attempt that is under way continues: nothing is paid
      twice.
    </p>
  </Act>
)
