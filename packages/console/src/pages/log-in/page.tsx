import { useState } from 'preact/hooks'
import type { Challenged } from '../../api/second-factor'
import type { Session } from '../../api/session'
import { Button } from '../../ui/button'
import { Forgotten } from './forgotten'
import { Gate } from './gate'
import { LogInForm } from './log-in-form'
import { ProviderLink } from './provider-link'

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
