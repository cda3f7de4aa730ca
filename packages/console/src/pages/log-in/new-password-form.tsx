import { ApiError } from '../../api/api-error'
import { request } from '../../api/http'
import { openSession, type Session, sessionStore } from '../../api/session'
import { notify } from '../../ui/announce'
import { PasswordField } from './password-field'
import { StepForm } from './step-form'

interface Changed {
  session: Session | null
}

/** The current password, and the new one twice. All sessions of the user end; this one is replaced by a new one. */
export function NewPasswordForm({ confirm, done }: { confirm: string; done?(): void }) {
  const send = async (form: FormData) => {
    const [currentPassword, newPassword, again] = ['current', 'next', 'again'].map((name) => String(form.get(name)))
    if (newPassword !== again) throw new ApiError(400, 'The two new passwords are not the same')
    const body = { currentPassword, newPassword }
    const { session } = await request<Changed>('/session/password', { method: 'POST', body })
    notify(session ? 'The password is changed' : 'The password is changed: log in with it')
    if (session) openSession(session)
    else sessionStore.set({ is: 'none' })
    done?.()
  }
  return (
    <StepForm send={send} words={[confirm, 'Setting…']}>
      <PasswordField label="Current password" name="current" autoComplete="current-password" required />
      <PasswordField
        label="New password"
        name="next"
        autoComplete="new-password"
        required
        minLength={12}
        maxLength={128}
        hint="12 to 128 characters, and none of the commonest passwords. A sentence is easy to keep in mind."
      />
      <PasswordField label="The same again" name="again" autoComplete="new-password" required />
    </StepForm>
  )
}
