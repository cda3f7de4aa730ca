import { reread } from '../../api/query'
import { counted } from '../../format/words'
import { Amount } from '../../ui/amount'
import { RunDialog } from '../../ui/run-dialog'
import { moveWords, needsReason } from './moves'
import { typeWords } from './moves-of'
import { movePayment, type Payment, type PaymentStatus } from './payment'
import { SumTable } from './sum-table'

interface MoveManyProps {
  to: PaymentStatus
  of: readonly Payment[]
  onClose(): void
  /** None was refused. */
  onAllDone(): void
}

/** Moves payments one after the other, once the exact sums are confirmed. */
export function MoveMany({ to, of, onClose, onAllDone }: MoveManyProps) {
  const { verb, effect, done } = moveWords[to]
  return (
    <RunDialog
      title={`${verb}: ${counted(of.length, 'payment')}?`}
      verb={verb}
      thing="payment"
      look={needsReason(to) ? 'danger' : 'main'}
      note={{
        label: 'Reason',
        min: needsReason(to) ? 3 : 0,
        hint: 'Kept in the history of each payment, with your name.',
      }}
      of={of}
      send={(payment, { note, headers }) => movePayment(payment, { to, comment: note, headers })}
      readAgain={() => reread(['payments'])}
      onEnded={(refused) => (refused === 0 ? onAllDone() : undefined)}
      done={(results) => `${counted(results.length, 'payment')} ${done}`}
      name={({ type, reference, amount, currency }) => (
        <>
          <strong>
            {typeWords[type]} {reference}
          </strong>{' '}
          <Amount value={amount} asset={currency} />
        </>
      )}
      onClose={onClose}
    >
      <SumTable of={of} what="Payments" />
      <p>{effect} Each payment is decided by itself: one that is refused holds up no other.</p>
    </RunDialog>
  )
}
