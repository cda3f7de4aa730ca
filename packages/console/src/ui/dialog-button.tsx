import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button, type ButtonProps } from './button'

interface Props extends ButtonProps {
  /** The dialog, which is told how to close itself. */
  dialog(close: () => void): ComponentChildren
}

/** A button that opens a dialog. */
export function DialogButton({ dialog, ...rest }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button {...rest} onClick={() => setOpen(true)} />
      {isOpen ? dialog(() => setOpen(false)) : null}
    </>
  )
}
