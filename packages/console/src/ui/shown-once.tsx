import type { ComponentChildren } from 'preact'
import { Button } from './button'
import { Dialog } from './dialog'
import { Note } from './states'

interface Props {
  title: string
  /** What to do with it. */
  note: ComponentChildren
  children: ComponentChildren
  onClose(): void
}

/** The only time that a secret is shown: it closes when somebody says that it is kept. */
export function ShownOnce({ title, note, children, onClose }: Props) {
  return (
    <Dialog title={title} isFirm onClose={onClose}>
      <div class="act">
        <Note tone="wait">{note}</Note>
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
