import { useRef, useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'
import { idempotencyKey } from '../../api/http'
import { queries } from '../../api/query'
import { counted } from '../../format/words'
import { Amount } from '../../ui/amount'
import { announce, notify } from '../../ui/announce'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Id } from '../../ui/id'
import { Meter } from '../../ui/meter'
import { moveWords, needsReason } from './moves'
import { typeWords } from './moves-of'
import { movePayment, type Payment, type PaymentStatus } from './payment'
import { ReasonField } from './reason-field'
import { SumTable } from './sum-table'

interface MoveManyProps {
  to: PaymentStatus
  of: readonly Payment[]
  onClose(): void
  /** None was refused. */
  onAllDone(): void
}

/** Moves payments one after the other, once the exact sums are confirmed. What is refused stays on the screen, with why. */
export function MoveMany({ to, of, onClose, onAllDone }: MoveManyProps) {
  const { verb, effect, done } = moveWords[to]
  const { run, state } = useRun(to, of, onAllDone, onClose)
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
          void run(String(new FormData(event.currentTarget).get('note') ?? '').trim())
        }}
      >
        <SumTable of={of} what="Payments" />
        <p>{effect} Each payment is decided by itself: one that is refused holds up no other.</p>
        {state.is === 'asked' ? (
          <ReasonField isRequired={needsReason(to)} />
        ) : (
          <Progress {...state} of={of} done={done} />
        )}
        <div class="act-buttons">
          <Button onClick={onClose} disabled={isRunning}>
            {state.is === 'ended' ? 'Close' : 'Cancel'}
          </Button>
          {state.is === 'ended' ? null : (
            <Button type="submit" look={needsReason(to) ? 'danger' : 'main'} disabled={isRunning} aria-busy={isRunning}>
              {isRunning ? `${state.moved} of ${of.length}…` : `${verb} ${counted(of.length, 'payment')}`}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

type RunState =
  | { is: 'asked' }
  | { is: 'running' | 'ended'; moved: number; refused: readonly { payment: Payment; error: ApiError }[] }

function useRun(to: PaymentStatus, of: readonly Payment[], onAllDone: () => void, onClose: () => void) {
  const [state, setState] = useState<RunState>({ is: 'asked' })
  // One key for each payment and opening: a repeat after a lost answer does nothing twice.
  const keys = useRef(new Map(of.map(({ id }) => [id, idempotencyKey()])))

  async function run(comment: string) {
    const refused: { payment: Payment; error: ApiError }[] = []
    for (const [at, payment] of of.entries()) {
      setState({ is: 'running', moved: at, refused: [...refused] })
      try {
        await movePayment(payment, { to, comment, idempotencyKey: keys.current.get(payment.id) ?? idempotencyKey() })
      } catch (cause) {
        refused.push({ payment, error: asApiError(cause) })
      }
    }
    void queries.invalidateQueries({ queryKey: ['payments'] })
    const words = `${counted(of.length - refused.length, 'payment')} ${moveWords[to].done}`
    if (refused.length === 0) {
      notify(words)
      onAllDone()
      onClose()
      return
    }
    announce(`${words}, ${refused.length} refused`)
    setState({ is: 'ended', moved: of.length, refused })
  }
  return { run, state }
}

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
