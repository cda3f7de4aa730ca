import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, asApiError } from '../../api/api-error'
import { request } from '../../api/http'
import type { Challenged } from '../../api/second-factor'
import type { Session } from '../../api/session'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorNote } from '../../ui/states'
import type { CodeForm } from './code-form'
import { PasswordField } from './password-field'

interface Props {
  email?: string
  came?: Challenged | null
  opened(session: Session): void
}

/** The second step, loaded when a log-in needs it. */
interface Step {
  Form: typeof CodeForm
  of: Challenged
}

const stepOf = async (of: Challenged): Promise<Step> => {
  const { CodeForm } = await import('./code-form').catch(() => {
    throw new ApiError(0, 'The second step could not be loaded. Load the page again.')
  })
  return { Form: CodeForm, of }
}

/**
 * E-mail address and password, then the second factor if it is needed. Users who come from the provider with a challenge
 * start at the second factor.
 */
export function LogInForm({ email, came = null, opened }: Props) {
  const [error, setError] = useState<ApiError | null>(null)
  const [isSending, setSending] = useState(false)
  const [step, setStep] = useState<Step | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const refused = (cause: unknown) => {
    setError(asApiError(cause))
    setSending(false)
  }
  useEffect(() => {
    if (came) void stepOf(came).then(setStep, refused)
    // Sets the focus on the log-in page, unless somebody types already; in a dialog `autoFocus` does it.
    else if (document.activeElement === document.body) form.current?.querySelector('input')?.focus()
  }, [])
  const submit = async (form: FormData) => {
    setSending(true)
    setError(null)
    try {
      const body = { email: form.get('email'), password: form.get('password') }
      const answer = await request<Session | Challenged>('/session', { method: 'POST', body })
      if ('challenge' in answer) setStep(await stepOf(answer))
      else opened(answer)
      setSending(false)
    } catch (cause) {
      refused(cause)
    }
  }
  if (step !== null) return <step.Form of={step.of} opened={opened} back={() => setStep(null)} />
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
      <PasswordField
        label="Password"
        name="password"
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
