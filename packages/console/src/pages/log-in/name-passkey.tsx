import { useEffect, useRef } from 'preact/hooks'
import { request } from '../../api/http'
import { loadPasskeys } from '../../api/second-factor'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { ErrorNote } from '../../ui/states'
import type { SetUp } from './set-up'
import { useStep } from './use-step'

interface Props {
  options: unknown
  next(setUp: SetUp): void
  again(): void
}

/** Creates a passkey in the browser, active at once. Its options are valid for five minutes, once. */
export function NamePasskey({ options, next, again }: Props) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const { submit, error, isSending } = useStep(async (given) => {
    const { madePasskey } = await loadPasskeys()
    const body = { name: String(given.get('passkey-name')).trim(), response: await madePasskey(options) }
    next(await request<SetUp>('/session/passkeys', { method: 'POST', body }))
  })
  return (
    <form ref={form} class="act" onSubmit={submit}>
      <p>Your browser now asks where to keep the passkey. The passkey never leaves that place.</p>
      <Field
        label="Name of the passkey"
        name="passkey-name"
        required
        pattern=".*\S.*"
        maxLength={64}
        autoComplete="off"
        hint="A name by which you recognise it, such as “Blue security key”."
      />
      {error ? <ErrorNote error={error} /> : null}
      <Button type="submit" look="main" disabled={isSending}>
        {isSending ? 'Waiting for the passkey…' : 'Add the passkey'}
      </Button>
      {error ? (
        <Button look="quiet" onClick={again}>
          Start again
        </Button>
      ) : null}
    </form>
  )
}
