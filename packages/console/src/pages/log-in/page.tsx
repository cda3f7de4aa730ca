import { useState } from 'preact/hooks'
import { request } from '../../api/http'
import type { Challenged } from '../../api/second-factor'
import type { Session } from '../../api/session'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { Note } from '../../ui/states'
import { Gate } from './gate'
import { LogInForm } from './log-in-form'
import { ProviderLink } from './provider-link'
import { StepForm } from './step-form'

interface Props {
  /** The second step of a log-in that began at the provider. */
  came?: Challenged | null
  opened(session: Session): void
}

/** The log-in by password or provider, and the mail for a forgotten password. */
export function LogInPage({ came = null, opened }: Props) {
  const [isForgotten, setForgotten] = useState(false)
  if (isForgotten) return <Forgotten back={() => setForgotten(false)} />
  return (
    <Gate title="Log in">
      <LogInForm came={came} opened={opened} />
      <ProviderLink />
      <p class="log-in-more">
        <Button look="quiet" onClick={() => setForgotten(true)}>
          Forgot your password?
        </Button>
      </p>
    </Gate>
  )
}

/** Requests a mail with a link to set a new password. The answer is the same for any address. */
function Forgotten({ back }: { back(): void }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <Gate title="Forgot your password">
      {sentTo === null ? <AddressForm sent={setSentTo} /> : <Sent to={sentTo} />}
      <p class="log-in-more">
        <Button look="quiet" onClick={back}>
          Back to the log-in
        </Button>
      </p>
    </Gate>
  )
}

function AddressForm({ sent }: { sent(email: string): void }) {
  const send = async (form: FormData) => {
    const email = String(form.get('email'))
    await request('/session/forgot', { method: 'POST', body: { email } })
    announce('The mail is on its way')
    sent(email)
  }
  return (
    <StepForm send={send} words={['Send the mail', 'Sending…']}>
      <p>We send you a mail with a link to set a new password.</p>
      <Field label="E-mail" name="email" type="email" autoComplete="username" required maxLength={254} />
    </StepForm>
  )
}

const Sent = ({ to }: { to: string }) => (
  <Note tone="good">
    If a user has the address <strong>{to}</strong>, a mail is on its way. Its link works for ten minutes. No mail? Look
    into the spam, or ask an administrator.
  </Note>
)
