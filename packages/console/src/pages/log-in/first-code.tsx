import { request } from '../../api/http'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorNote } from '../../ui/states'
import type { SetUp } from './set-up'
import { useStep } from './use-step'

interface Props {
  secret: string
  otpauthUri: string
  next(setUp: SetUp): void
}

/** An authenticator is active after its first correct code. */
export function FirstCode({ secret, otpauthUri, next }: Props) {
  const { submit, error, isSending } = useStep(async (form) => {
    const body = { code: String(form.get('code')).trim() }
    next(await request<SetUp>('/session/second-factor', { method: 'POST', body }))
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
