import { useState } from 'preact/hooks'
import { openSession, sessionStore } from '../../api/session'
import { signOn } from '../../api/sign-on'
import { useStore } from '../../api/store'
import { Gate } from './gate'
import { NewPasswordForm } from './new-password-form'
import { LogInPage } from './page'
import { RecoveryCodes } from './recovery-codes'
import { type SetUp, SetUpSecondFactor } from './set-up-second-factor'

/**
 * Shown at any path when the session has ended; the page of the path is shown after the log-in. Shown also to users whose
 * password was chosen by somebody else. Who comes without a session gets `start.tsx`.
 */
export default function LogIn() {
  const state = useStore(sessionStore)
  const came = useStore(signOn)
  if (state.is === 'open' && state.session.mustChangePassword) return <FirstPassword name={state.session.user.name} />
  if (state.is === 'open') return <FirstSecondFactor name={state.session.user.name} />
  return <LogInPage came={came && 'challenge' in came ? came : null} opened={openSession} />
}

function FirstSecondFactor({ name }: { name: string }) {
  const [made, setMade] = useState<SetUp | null>(null)
  return (
    <Gate title="Set up your second factor">
      <p>{name}, who decides for others shows more than a password here. You can go on once this is done.</p>
      {made ? (
        <RecoveryCodes codes={made.recoveryCodes ?? []} done={() => openSession(made.session)} />
      ) : (
        <SetUpSecondFactor done={setMade} />
      )}
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
