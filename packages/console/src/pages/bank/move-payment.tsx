import { Act } from '../../ui/act'
import { Amount } from '../../ui/amount'
import { Field } from '../../ui/field'
import { moveWords, needsReason } from './moves'
import { typeWords } from './moves-of'
import { movePayment, type Payment, type PaymentStatus } from './payment'

interface MovePaymentProps {
  of: Payment
  to: PaymentStatus
  onClose(): void
  onDone(): void
}

/** The dialog of one decision about one payment. */
export function MovePayment({ of, to, onClose, onDone }: MovePaymentProps) {
  const { verb, effect, done } = moveWords[to]
  const isRequired = needsReason(to)
  const takesHash = (to === 'PROCESSING' || to === 'COMPLETED') && of.transactionHash === null
  return (
    <Act
      title={`${verb}?`}
      confirm={verb}
      look={isRequired ? 'danger' : 'main'}
      note={{
        label: 'Reason',
        hint: 'Kept in the history of the payment, with your name.',
        ...(isRequired ? { min: 3 } : {}),
      }}
      act={({ note, headers, text }) =>
        movePayment(of, {
          to,
          comment: note,
          headers,
          transactionHash: text('transactionHash') || undefined,
        })
      }
      done={`The ${typeWords[of.type].toLowerCase()} is ${done}`}
      onDone={onDone}
      onClose={onClose}
    >
      <p class="act-big">
        <Amount value={of.amount} asset={of.currency} />
      </p>
      <p>
        {typeWords[of.type]} {of.reference}, from {of.from?.participantName ?? 'outside'} to{' '}
        {of.to?.participantName ?? of.destinationAccount?.bankName ?? 'outside'}. {effect}
      </p>
      {takesHash ? (
        <Field
          label="The bank’s reference or hash (optional)"
          name="transactionHash"
          maxLength={128}
          pattern="[!-~]+"
          title="Write it without spaces."
          spellcheck={false}
        />
      ) : null}
    </Act>
  )
}
