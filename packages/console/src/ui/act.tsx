import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../api/api-error'
import { idempotencyKey } from '../api/http'
import { proofField, showSecondFactor } from '../api/second-factor'
import { announce, notify } from './announce'
import { Button } from './button'
import { Dialog } from './dialog'
import { Icon } from './icon'
import { Menu } from './menu'
import { type NoteField, NoteInput } from './note-input'
import { OwnProofFields } from './proof-fields'
import { ErrorNote } from './states'

/** The input of an act. */
export interface ActInput {
  /** The reason or note, trimmed; empty if none was required or given. */
  note: string
  /** With the key of this dialog: a repeat after a lost answer does nothing twice. */
  headers: { 'Idempotency-Key': string }
  /** Further fields, from `children`. */
  form: FormData
  /** A field of them, trimmed. */
  text(name: string): string
}

interface ActProps<Result> {
  /** As a question: `Reject this deposit?` */
  title: string
  /** On the button: `Reject`. */
  confirm: string
  look?: 'main' | 'danger'
  note?: NoteField
  /** The effect of the act, and further fields. */
  children?: ComponentChildren
  act(input: ActInput): Promise<Result>
  /** The message of success: `The deposit is rejected`. */
  done: string | ((result: Result) => string)
  /** Reads the changed data again; the dialog closes automatically. */
  onDone?(result: Result): void
  /** Another dialog in the place of this one, once it is done: for a secret that is shown once. */
  shows?(result: Result): ComponentChildren
  /** The act was refused: the dialog shows why, and stays open. */
  onRefused?(error: ApiError): void
  onClose(): void
}

/**
 * The dialog of an act: its effect, its reason and its result. It has one idempotency key for its decision: a
 * repeat after a lost answer sends the same key, whatever refuses it; a repeat after a refusal alone is another decision.
 */
export function Act<Result>(props: ActProps<Result>) {
  const { title, confirm, look = 'main', note, children, onClose } = props
  const { submit, isSending, error, isOpen, needsProof, shown } = useAct(props)
  if (shown) return <>{shown}</>
  return (
    <Dialog title={title} onClose={() => (isSending ? undefined : onClose())}>
      <form
        class="act"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        {children}
        {note ? <NoteInput {...note} /> : null}
        {needsProof ? (
          <OwnProofFields label="Code of your second factor" then={confirm.toLowerCase()} takesFocus />
        ) : null}
        {error ? <ErrorNote error={error} title={outcomeOf({ isUncertain: isOpen })} /> : null}
        {isOpen ? (
          <p class="hint">It may have been carried out. Sending it again is safe: nothing is done twice.</p>
        ) : null}
        <div class="act-buttons">
          <Button onClick={onClose} disabled={isSending}>
            {error ? 'Close' : 'Cancel'}
          </Button>
          <Button type="submit" look={look} disabled={isSending} aria-busy={isSending}>
            {isSending ? 'Sending…' : isOpen ? 'Send again' : confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function useAct<Result>({ act, done, onDone, shows, onRefused, onClose }: ActProps<Result>) {
  const [shown, setShown] = useState<ComponentChildren>(null)
  const key = useRef(idempotencyKey())
  // With this key an answer was lost: the act may have been carried out.
  const isLost = useRef(false)
  const [isSending, setSending] = useState(false)
  // Two clicks may come before the button is rendered as disabled.
  const isSent = useRef(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [needsProof, setNeedsProof] = useState(false)

  function stop() {
    isSent.current = false
    setSending(false)
  }

  async function submit(form: FormData) {
    if (isSent.current) return
    isSent.current = true
    setSending(true)
    setError(null)
    try {
      if (needsProof && !(await isShown(form))) return
      const text = (name: string) => String(form.get(name) ?? '').trim()
      const result = await act({ note: text('note'), headers: { 'Idempotency-Key': key.current }, form, text })
      notify(typeof done === 'string' ? done : done(result))
      onDone?.(result)
      if (shows) setShown(shows(result))
      else onClose()
    } catch (cause) {
      const refused = asApiError(cause)
      isLost.current ||= refused.isUncertain
      if (!isLost.current) key.current = idempotencyKey()
      setError(refused)
      const isProofAsked = refused.code === 'SECOND_FACTOR_NEEDED'
      if (isProofAsked) setNeedsProof(true)
      stop()
      announce(`${outcomeOf({ isUncertain: isLeftOpen(refused) })} ${refused.message}`)
      // 401: the session has ended and nothing was decided; the dialog waits behind the log-in.
      if (refused.status !== 401 && !isProofAsked) onRefused?.(refused)
    }
  }

  /** A wrong code is not a refusal of the act, which was not sent yet. */
  async function isShown(form: FormData): Promise<boolean> {
    if (!form.has(proofField.by)) return true
    try {
      await showSecondFactor(form)
      setNeedsProof(false)
      return true
    } catch (cause) {
      setError(asApiError(cause))
      stop()
      announce(asApiError(cause).message)
      return false
    }
  }
  /** Whether the act may have been carried out: some refusals of a repeat say nothing of what was lost before. */
  function isLeftOpen({ status, isUncertain }: ApiError): boolean {
    return isUncertain || (isLost.current && [401, 403, 429].includes(status))
  }
  return { submit, isSending, error, isOpen: error !== null && isLeftOpen(error), needsProof, shown }
}

/** What came of an act that did not succeed. */
export const outcomeOf = ({ isUncertain }: Pick<ApiError, 'isUncertain'>): string =>
  isUncertain ? 'No answer came.' : 'Not carried out.'

interface MoreActsProps {
  /** For screen readers: `Other statuses`. */
  label: string
  acts: readonly (readonly [words: string, run: () => void])[]
  look?: string
}

/** Acts that are seldom wanted, behind a button of three dots. */
export const MoreActs = ({ label, acts, look = 'is-plain' }: MoreActsProps) => (
  <Menu label={label} look={`button is-icon ${look}`} button={<Icon name="more" />}>
    {acts.map(([words, run]) => (
      <button key={words} type="button" onClick={run}>
        {words}
      </button>
    ))}
  </Menu>
)
