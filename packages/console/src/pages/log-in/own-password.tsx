import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { NewPasswordForm } from './new-password-form'

/** Who is logged in chooses another password. */
export default function OwnPassword({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Change your password" onClose={onClose}>
      <p>All your other sessions end, in browsers and in programs.</p>
      <NewPasswordForm confirm="Change password" done={onClose} />
      <div class="act-buttons">
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  )
}
