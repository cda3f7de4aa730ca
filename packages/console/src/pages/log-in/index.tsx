import { useState } from 'preact/hooks'
import { openSession, sessionStore } from '../../api/session'
import { signOn } from '../../api/sign-on'
import { useStore } from '../../api/store'
import { Button } from '../../ui/button'
import { Forgotten } from './forgotten'
import { Gate } from './gate'
import { LogInForm } from './log-in-form'
import { NewPasswordForm } from './new-password-form'
import { ProviderLink } from './provider-link'
import { SetUpSecondFactor } from './set-up-second-factor'

/**
 * Shown at any path without a session; the page of the path is shown after the log-in. Shown also to users whose
 * password was chosen by somebody else.
 */
export default function LogIn() {
  const state = useStore(sessionStore)
  const came = useStore(signOn)
  const [isForgotten, setForgotten] = useState(false)
  if (state.is === 'open' && state.session.mustChangePassword) return <FirstPassword name={state.session.user.name} />
  if (state.is === 'open') return <FirstSecondFactor name={state.session.user.name} />
  if (isForgotten) return <Forgotten back={() => setForgotten(false)} />
  return (
    <Gate title="Log in">
      <LogInForm came={came && 'challenge' in came ? came : null} />
      <ProviderLink />
      <p class="log-in-more">
        <Button look="quiet" onClick={() => setForgotten(true)}>
          Forgot your password?
        </Button>
      </p>
    </Gate>
  )
}

function FirstSecondFactor({ name }: { name: string }) {
  return (
    <Gate title="Set up your second factor">
      <p>{name}, who decides for others shows more than a password here. You can go on once this is done.</p>
      <SetUpSecondFactor done={openSession} />
    </Gate>
  )
}

function FirstPassword({ name }: { name: string }) {
  return (
    <Gate title="Choose your password">
      <p>
        {name}, somebody else knows the password that you logged in with, or an administrator asked for another one. You
        can continue once you have chosen your own.
      </p>
      <NewPasswordForm confirm="Set password and go on" />
    </Gate>
  )
}
