import { useRef, useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'
import { idempotencyKey } from '../../api/http'
import { queries } from '../../api/query'
import { proofField, showSecondFactor } from '../../api/second-factor'
import { counted } from '../../format/words'
import { announce, notify } from '../../ui/announce'
import { moveWords } from './moves'
import { movePayment, type Payment, type PaymentStatus } from './payment'

interface Progress {
  /** How many were sent. */
  moved: number
  refused: readonly { payment: Payment; error: ApiError }[]
}

/** `stopped`: the others wait for the second factor; `error` is why its verification failed. */
export type RunState =
  | { is: 'asked' }
  | ({ is: 'running' } & Progress)
  | ({ is: 'ended' } & Progress)
  | ({ is: 'stopped'; error: ApiError | null } & Progress)

interface Ends {
  /** None was refused. */
  onAllDone(): void
  onClose(): void
}

/** Moves payments one after the other; after a stop, the remaining ones. */
export function useRun(to: PaymentStatus, of: readonly Payment[], { onAllDone, onClose }: Ends) {
  const [state, setState] = useState<RunState>({ is: 'asked' })
  const comment = useRef('')
  // One key per payment and dialog: a repeat after a lost answer does nothing twice.
  const keys = useRef(new Map(of.map(({ id }) => [id, idempotencyKey()])))

  async function run(form: FormData) {
    if (state.is === 'running' || state.is === 'ended') return
    if (state.is === 'asked') comment.current = String(form.get('note') ?? '').trim()
    else if (!(await isShown(form, state))) return
    await moveFrom(state.is === 'asked' ? { moved: 0, refused: [] } : state)
  }

  async function isShown(form: FormData, stopped: Extract<RunState, { is: 'stopped' }>): Promise<boolean> {
    // Its fields may not be there yet.
    if (!form.has(proofField.by)) return false
    setState({ ...stopped, is: 'running' })
    try {
      await showSecondFactor(form)
      return true
    } catch (cause) {
      setState({ ...stopped, error: asApiError(cause) })
      announce(asApiError(cause).message)
      return false
    }
  }

  async function moveFrom({ moved: first, refused: known }: Progress) {
    const refused = [...known]
    for (const [at, payment] of of.entries()) {
      if (at < first) continue
      setState({ is: 'running', moved: at, refused: [...refused] })
      try {
        const key = keys.current.get(payment.id) ?? idempotencyKey()
        await movePayment(payment, { to, comment: comment.current, idempotencyKey: key })
      } catch (cause) {
        const error = asApiError(cause)
        if (error.code === 'SECOND_FACTOR_NEEDED') return stop({ moved: at, refused })
        refused.push({ payment, error })
      }
    }
    end(refused)
  }

  function stop(progress: Progress) {
    void queries.invalidateQueries({ queryKey: ['payments'] })
    announce(`${counted(of.length - progress.moved, 'payment')} wait for your second factor`)
    setState({ is: 'stopped', error: null, ...progress })
  }

  function end(refused: Progress['refused']) {
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
