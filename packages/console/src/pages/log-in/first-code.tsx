import { request } from '../../api/http'
import { Field } from '../../ui/field'
import type { SetUp } from './set-up'
import { StepForm } from './step-form'

interface Props {
  secret: string
  otpauthUri: string
  next(setUp: SetUp): void
}

/** An authenticator is active after its first correct code. */
export function FirstCode({ secret, otpauthUri, next }: Props) {
  const send = async (form: FormData) => {
    const body = { code: String(form.get('code')).trim() }
    next(await request<SetUp>('/session/second-factor', { method: 'POST', body }))
  }
  return (
    <StepForm send={send} words={['Set up', 'Checking…']}>
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
    </StepForm>
  )
}
