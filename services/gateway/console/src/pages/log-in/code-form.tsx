import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'
import { request } from '../../api/http'
import { openSession, type Session } from '../../api/session'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorNote } from '../../ui/states'

/** The second step of a log-in: the code of the second factor. */
export function CodeForm({ challenge, back }: { challenge: string; back(): void }) {
  const [error, setError] = useState<ApiError | null>(null)
  const [isSending, setSending] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const submit = async (given: FormData) => {
    setSending(true)
    setError(null)
    try {
      const body = { challenge, code: String(given.get('code')).trim() }
      openSession(await request<Session>('/session/code', { method: 'POST', body }))
    } catch (cause) {
      setError(asApiError(cause))
      setSending(false)
    }
  }
  return (
    <form
      ref={form}
      class="act"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(new FormData(event.currentTarget))
      }}
    >
      <Field
        label="Code"
        name="code"
        autoComplete="one-time-code"
        required
        minLength={6}
        maxLength={40}
        hint="Six digits from your authenticator, or one of your recovery codes."
      />
      {error ? <ErrorNote error={error} /> : null}
      <Button type="submit" look="main" disabled={isSending}>
        {isSending ? 'Checking…' : 'Go on'}
      </Button>
      <Button look="quiet" onClick={back}>
        Back to the password
      </Button>
    </form>
  )
}
