import { useEffect, useRef } from 'preact/hooks'
import { request } from '../../api/http'
import { loadPasskeys } from '../../api/second-factor'
import { Field } from '../../ui/field'
import type { SetUp } from './set-up'
import { StepForm } from './step-form'

interface Props {
  options: unknown
  next(setUp: SetUp): void
  again(): void
}

/** Creates a passkey in the browser, active at once. Its options are valid for five minutes, once. */
export function NamePasskey({ options, next, again }: Props) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const send = async (given: FormData) => {
    const { madePasskey } = await loadPasskeys()
    const body = { name: String(given.get('passkey-name')).trim(), response: await madePasskey(options) }
    next(await request<SetUp>('/session/passkeys', { method: 'POST', body }))
  }
  return (
    <StepForm of={form} send={send} words={['Add the passkey', 'Waiting for the passkey…']} again={again}>
      <p>Your browser now asks where to keep the passkey. The passkey never leaves that place.</p>
      <Field
        label="Name of the passkey"
        name="passkey-name"
        required
        pattern=".*\S.*"
        maxLength={64}
        hint="A name by which you recognise it, such as “Blue security key”."
      />
    </StepForm>
  )
}
