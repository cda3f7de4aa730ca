import { openSession, useSession } from '../api/session'
import { LogInForm } from '../pages/log-in/log-in-form'
import { ProviderLink } from '../pages/log-in/provider-link'
import { Dialog } from '../ui/dialog'

/** The session ended during work: the page stays unchanged behind this dialog, and nothing is resent. */
export default function LogInDialog() {
  const { user } = useSession()
  return (
    <Dialog title="Your session has ended" isFirm onClose={() => {}}>
      <div class="stack">
        <p>Log in to continue. The page stays as you left it; requests refused meanwhile were not carried out.</p>
        <LogInForm email={user.email} opened={openSession} />
        <ProviderLink />
      </div>
    </Dialog>
  )
}
