import { queries } from '../../api/query'
import { counted } from '../../format/words'
import { Amount } from '../../ui/amount'
import { announce, notify } from '../../ui/announce'
import { RunDialog } from '../../ui/run-dialog'
import { type RunState, useRunMany } from '../../ui/run-many'
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

const idOf = ({ id }: Payment) => id

/** Moves payments one after the other, once the exact sums are confirmed. */
export function MoveMany({ to, of, onClose, onAllDone }: MoveManyProps) {
  const { verb, effect, done } = moveWords[to]
  const { run, state } = useRunMany<Payment, unknown>({
    of,
    idOf,
    send: (payment, { note, idempotencyKey }) => movePayment(payment, { to, comment: note, idempotencyKey }),
    onPause,
  })

  function onPause(paused: RunState<Payment, unknown>) {
    void queries.invalidateQueries({ queryKey: ['payments'] })
    if (paused.is === 'stopped') {
      return announce(`${counted(of.length - paused.sent, 'payment')} wait for your second factor`)
    }
    if (paused.is !== 'ended') return
    const words = `${counted(paused.results.length, 'payment')} ${done}`
    if (paused.refused.length > 0) return announce(`${words}, ${paused.refused.length} refused`)
    notify(words)
    onAllDone()
    onClose()
  }

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
      idOf={idOf}
      state={state}
      run={run}
      done={(results) => `${results.length} ${done}`}
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
