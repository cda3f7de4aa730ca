import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, asApiError } from '../../api/api-error'
import { request } from '../../api/http'
import type { Challenged } from '../../api/second-factor'
import type { Session } from '../../api/session'
import { Field } from '../../ui/field'
import type { CodeForm } from './code-form'
import { PasswordField } from './password-field'
import { StepForm } from './step-form'

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
  const [failed, setFailed] = useState<ApiError | null>(null)
  const [step, setStep] = useState<Step | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (came) void stepOf(came).then(setStep, (cause) => setFailed(asApiError(cause)))
    // Sets the focus on the log-in page, unless somebody types already; in a dialog `autoFocus` does it.
    else if (document.activeElement === document.body) form.current?.querySelector('input')?.focus()
  }, [])
  const send = async (form: FormData) => {
    const body = { email: form.get('email'), password: form.get('password') }
    const answer = await request<Session | Challenged>('/session', { method: 'POST', body })
    if ('challenge' in answer) setStep(await stepOf(answer))
    else opened(answer)
  }
  if (step !== null) return <step.Form of={step.of} opened={opened} back={() => setStep(null)} />
  return (
    <StepForm of={form} send={send} words={['Log in', 'Logging in…']} failed={failed}>
      <Field label="E-mail" name="email" type="email" autoComplete="username" required defaultValue={email} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        autoFocus={email !== undefined}
      />
    </StepForm>
  )
}
