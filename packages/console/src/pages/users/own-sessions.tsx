import { useSession } from '../../api/session'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { SessionList } from './session-list'

/** The current user's sessions. */
export default function OwnSessions({ onClose }: { onClose(): void }) {
  const { user } = useSession()
  return (
    <Dialog title="Your sessions" isWide onClose={onClose}>
      <p>Where you are logged in, newest first. End any session that you do not recognise, and change your password.</p>
      <SessionList userId={user.id} />
      <div class="act-buttons">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
