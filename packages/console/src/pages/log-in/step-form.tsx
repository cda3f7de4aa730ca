import type { ComponentChildren, RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/states'

interface Props {
  send(form: FormData): Promise<void>
  /** On the button, and while it is sent. */
  words: readonly [verb: string, busy: string]
  look?: 'main' | 'plain'
  isBlocked?: boolean
  /** Something went wrong before. */
  failed?: ApiError | null
  /** Starts over once something was refused. */
  again?(): void
  of?: RefObject<HTMLFormElement | null>
  children: ComponentChildren
}

/** One form of several in a row. What was refused is shown, and the form stays. */
export function StepForm({ send, words, look = 'main', isBlocked = false, failed = null, again, of, children }: Props) {
  const [refused, setRefused] = useState<ApiError | null>(null)
  const [isSending, setSending] = useState(false)
  const error = refused ?? failed
  const submit = async (form: FormData) => {
    setSending(true)
    setRefused(null)
    try {
      await send(form)
    } catch (cause) {
      setRefused(asApiError(cause))
    }
    setSending(false)
  }
  return (
    <form
      {...(of ? { ref: of } : {})}
      class="act"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSending) void submit(new FormData(event.currentTarget))
      }}
    >
      {children}
      {error ? <ErrorNote error={error} /> : null}
      <Button type="submit" look={look} disabled={isSending || isBlocked}>
        {words[isSending ? 1 : 0]}
      </Button>
      {error && again ? (
        <Button look="quiet" onClick={again}>
          Start again
        </Button>
      ) : null}
    </form>
  )
}
