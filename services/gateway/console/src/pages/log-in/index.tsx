import { LogInForm } from './log-in-form'

/** Who comes without a session sees this, whatever the path; the path stays and is shown after the log-in. */
export default function LogIn() {
  return (
    <main class="log-in">
      <h1>Log in to Bursar</h1>
      <LogInForm />
    </main>
  )
}
