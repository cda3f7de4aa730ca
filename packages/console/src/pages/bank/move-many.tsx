import { counted } from '../../format/words'
import { Amount } from '../../ui/amount'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Id } from '../../ui/id'
import { Meter } from '../../ui/meter'
import { OwnProofFields } from '../../ui/proof-fields'
import { ErrorNote } from '../../ui/states'
import { moveWords, needsReason } from './moves'
import { typeWords } from './moves-of'
import type { Payment, PaymentStatus } from './payment'
import { ReasonField } from './reason-field'
import { SumTable } from './sum-table'
import { type RunState, useRun } from './use-run'

interface MoveManyProps {
  to: PaymentStatus
  of: readonly Payment[]
  onClose(): void
  /** None was refused. */
  onAllDone(): void
}

/**
 * Moves payments one after the other, once the exact sums are confirmed. Refusals stay visible with their reasons.
 * If the second factor is needed it is asked for once, and the remaining payments continue.
 */
export function MoveMany({ to, of, onClose, onAllDone }: MoveManyProps) {
  const { verb, effect, done } = moveWords[to]
  const { run, state } = useRun(to, of, { onAllDone, onClose })
  const isRunning = state.is === 'running'
  return (
    <Dialog
      title={`${verb}: ${counted(of.length, 'payment')}?`}
      isWide
      onClose={() => (isRunning ? undefined : onClose())}
    >
      <form
        class="act"
        onSubmit={(event) => {
          event.preventDefault()
          void run(new FormData(event.currentTarget))
        }}
      >
        <SumTable of={of} what="Payments" />
        <p>{effect} Each payment is decided by itself: one that is refused holds up no other.</p>
        {state.is === 'asked' ? (
          <ReasonField isRequired={needsReason(to)} />
        ) : (
          <Progress {...state} of={of} done={done} />
        )}
        {state.is === 'stopped' ? (
          <>
            <p>The remaining payments need your second factor.</p>
            <OwnProofFields label="Code of your second factor" then="go on" takesFocus />
            {state.error ? <ErrorNote error={state.error} /> : null}
          </>
        ) : null}
        <div class="act-buttons">
          <Button onClick={onClose} disabled={isRunning}>
            {state.is === 'ended' || state.is === 'stopped' ? 'Close' : 'Cancel'}
          </Button>
          {state.is === 'ended' ? null : (
            <Button type="submit" look={needsReason(to) ? 'danger' : 'main'} disabled={isRunning} aria-busy={isRunning}>
              {isRunning
                ? `${state.moved} of ${of.length}…`
                : `${verb} ${counted(of.length - waitsFrom(state), 'payment')}`}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

/** How many decisions were sent. */
const waitsFrom = (state: RunState): number => (state.is === 'stopped' ? state.moved : 0)

function Progress({
  moved,
  refused,
  of,
  done,
}: Exclude<RunState, { is: 'asked' }> & { of: readonly Payment[]; done: string }) {
  return (
    <div class="act" role="status">
      <Meter value={moved} max={of.length} words={`${moved} of ${of.length} sent`} />
      <p>
        {moved - refused.length} {done}
        {refused.length > 0 ? `, ${refused.length} refused:` : ''}
      </p>
      {refused.length > 0 ? (
        <ul class="payment-refusals">
          {refused.map(({ payment, error }) => (
            <li key={payment.id}>
              <strong>
                {typeWords[payment.type]} {payment.reference}
              </strong>{' '}
              <Amount value={payment.amount} asset={payment.currency} />
              <span class="sub">
                {error.message} {error.requestId ? <Id value={error.requestId} /> : null}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
