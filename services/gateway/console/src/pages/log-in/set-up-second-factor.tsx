import { useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'
import { request } from '../../api/http'
import type { Session } from '../../api/session'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorNote } from '../../ui/states'

interface Enrolment {
  data: { secret: string; otpauthUri: string }
}
interface Confirmed {
  session: Session
  recoveryCodes: string[]
}
type Step = { is: 'password' } | { is: 'code'; enrolment: Enrolment['data'] } | ({ is: 'codes' } & Confirmed)

/** Password, first code, recovery codes: then the second factor is set up, and `done` gets the session that goes on. */
export function SetUpSecondFactor({ done }: { done(session: Session): void }) {
  const [step, setStep] = useState<Step>({ is: 'password' })
  if (step.is === 'password') return <Begin next={(enrolment) => setStep({ is: 'code', enrolment })} />
  if (step.is === 'code') {
    return <FirstCode {...step.enrolment} next={(confirmed) => setStep({ is: 'codes', ...confirmed })} />
  }
  return <RecoveryCodes codes={step.recoveryCodes} done={() => done(step.session)} />
}

function Begin({ next }: { next(enrolment: Enrolment['data']): void }) {
  const { submit, error, isSending } = useStep(async (form) => {
    const body = { password: String(form.get('password')) }
    next((await request<Enrolment>('/identity/v1/users/mfa/totp', { method: 'POST', body })).data)
  })
  return (
    <form class="act" onSubmit={submit}>
      <p>You need an authenticator: an app on your telephone that shows a new code every 30 seconds.</p>
      <Field label="Your password" name="password" type="password" autoComplete="current-password" required />
      {error ? <ErrorNote error={error} /> : null}
      <Button type="submit" look="main" disabled={isSending}>
        {isSending ? 'Checking…' : 'Go on'}
      </Button>
    </form>
  )
}

function FirstCode({ secret, otpauthUri, next }: Enrolment['data'] & { next(confirmed: Confirmed): void }) {
  const { submit, error, isSending } = useStep(async (form) => {
    const body = { code: String(form.get('code')).trim() }
    next(await request<Confirmed>('/session/second-factor', { method: 'POST', body }))
  })
  return (
    <form class="act" onSubmit={submit}>
      <p>
        Add an account to your authenticator with this key, or <a href={otpauthUri}>open it on this device</a>.
      </p>
      <p>
        <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <Field
        label="The code that it shows now"
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        minLength={6}
        maxLength={6}
      />
      {error ? <ErrorNote error={error} /> : null}
      <Button type="submit" look="main" disabled={isSending}>
        {isSending ? 'Checking…' : 'Set up'}
      </Button>
    </form>
  )
}

/** They are shown this once. */
export function RecoveryCodes({ codes, done }: { codes: readonly string[]; done(): void }) {
  return (
    <div class="stack">
      <p>
        Keep these recovery codes where you find them without your telephone. Each is good for one log-in. They are not
        shown again.
      </p>
      <ul class="codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button look="main" onClick={done}>
        I have kept them
      </Button>
    </div>
  )
}

function useStep(send: (form: FormData) => Promise<void>) {
  const [error, setError] = useState<ApiError | null>(null)
  const [isSending, setSending] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setSending(true)
    setError(null)
    try {
      await send(new FormData(event.currentTarget as HTMLFormElement))
    } catch (cause) {
      setError(asApiError(cause))
    }
    setSending(false)
  }
  return { submit, error, isSending }
}
