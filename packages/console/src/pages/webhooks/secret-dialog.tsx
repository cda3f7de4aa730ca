import type { ComponentChildren } from 'preact'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Id } from '../../ui/id'
import { Note } from '../../ui/states'

interface Props {
  title: string
  secret: string
  url: string
  children: ComponentChildren
  onClose(): void
}

/** The only time that an endpoint's secret is shown. */
export function SecretDialog({ title, secret, url, children, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose} isFirm>
      <div class="act">
        <Note tone="wait">It is shown this once. Give it to whoever runs {url}.</Note>
        <Id value={secret} isWhole />
        {children}
        <div class="act-buttons">
          <Button look="main" onClick={onClose}>
            I have kept it
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
