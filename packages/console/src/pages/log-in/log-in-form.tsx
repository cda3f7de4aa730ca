import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'
import { request } from '../../api/http'
import type { Challenged } from '../../api/second-factor'
import { openSession, type Session } from '../../api/session'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorNote } from '../../ui/states'
import { CodeForm } from './code-form'

/**
 * E-mail address and password, then the second factor if it is needed; opens the session in this page. Users who come
 * from the provider with a challenge start at the second factor.
 */
export function LogInForm({ email, came = null }: { email?: string; came?: Challenged | null }) {
  const [error, setError] = useState<ApiError | null>(null)
  const [isSending, setSending] = useState(false)
  const [challenge, setChallenge] = useState<Challenged | null>(came)
  const form = useRef<HTMLFormElement>(null)
  // Sets the focus on the log-in page; in a dialog, which is not open yet, `autoFocus` does it.
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const submit = async (form: FormData) => {
    setSending(true)
    setError(null)
    try {
      const body = { email: form.get('email'), password: form.get('password') }
      const answer = await request<Session | Challenged>('/session', { method: 'POST', body })
      if ('challenge' in answer) setChallenge(answer)
      else openSession(answer)
      setSending(false)
    } catch (cause) {
      setError(asApiError(cause))
      setSending(false)
    }
  }
  if (challenge !== null) return <CodeForm of={challenge} back={() => setChallenge(null)} />
  return (
    <form
      ref={form}
      class="act"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(new FormData(event.currentTarget))
      }}
    >
      <Field label="E-mail" name="email" type="email" autoComplete="username" required defaultValue={email} />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus={email !== undefined}
      />
      {error ? <ErrorNote error={error} /> : null}
      <Button type="submit" look="main" disabled={isSending}>
        {isSending ? 'Logging in…' : 'Log in'}
      </Button>
    </form>
  )
}
