import { useSecondFactor } from '../../api/second-factor'
import { Field } from '../../ui/field'

/** The current user's password. Users without one came through the provider, and a recent log-in counts instead. */
export function OwnPasswordField() {
  const { data } = useSecondFactor()
  if (data?.hasPassword === false) {
    return <p class="hint">You have no password here. For five minutes your log-in counts instead.</p>
  }
  return <Field label="Your password" name="password" type="password" autoComplete="current-password" required />
}

/** What that gives, for the body of a request. */
export const passwordIn = (form: FormData): { password?: string } =>
  form.has('password') ? { password: String(form.get('password')) } : {}
