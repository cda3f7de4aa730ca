import { reread } from '../../api/query'
import { payments } from '../../api/services'
import { useCan } from '../../api/session'
import { Act } from '../../ui/act'
import { actorIn, HistoryItem } from '../../ui/actor'
import { Card } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { Field } from '../../ui/field'
import { Badge } from '../../ui/status'
import type { PaymentDetail } from './payment'

/** Requests for information about a payment, newest first, and the button for a new one. */
export function AdditionalRequests({ of }: { of: PaymentDetail }) {
  const isOperator = useCan('operate')
  return (
    <Card
      title="Requests for information"
      aside={
        isOperator ? (
          <DialogButton isSmall icon="plus" dialog={(close) => <Ask id={of.id} onClose={close} />}>
            Ask
          </DialogButton>
        ) : null
      }
    >
      {of.additionalRequests.length === 0 ? (
        <p class="hint">Nothing was asked.</p>
      ) : (
        <ol class="history">
          {of.additionalRequests.toReversed().map(({ id, type, message, by, createdAt }) => (
            <HistoryItem key={id} what={<Badge>{type}</Badge>} at={createdAt} by={actorIn(by)}>
              <p>{message}</p>
            </HistoryItem>
          ))}
        </ol>
      )}
    </Card>
  )
}

const Ask = ({ id, onClose }: { id: string; onClose(): void }) => (
  <Act
    title="Ask for more information?"
    confirm="Ask"
    note={{ label: 'Question', hint: 'Kept with the payment, with your name.', min: 3 }}
    act={({ note, headers, text }) => {
      const body = { message: note, type: text('type') || undefined }
      const params = { path: { transactionId: id } }
      return payments.POST('/transactions/additional-request/{transactionId}', { params, headers, body })
    }}
    done="The request is recorded"
    onDone={() => reread(['payments'])}
    onClose={onClose}
  >
    <Field label="Kind" name="type" maxLength={64} defaultValue="RFI" required />
  </Act>
)
