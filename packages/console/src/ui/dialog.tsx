import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  title: ComponentChildren
  onClose(): void
  isWide?: boolean
  /** It cannot be closed by the user, because the page behind it cannot be used yet. */
  isFirm?: boolean
  children: ComponentChildren
}

/** A native modal dialog; render it while it is open. The focus returns to where it was. */
export function Dialog({ title, onClose, isWide, isFirm, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Not after the next paint: a key that comes before it would act on the page behind.
  useLayoutEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={isWide ? 'dialog is-wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!isFirm) onClose()
      }}
      // A browser lets itself be held back once: a second Escape closes a dialog, whatever its page wants.
      onClose={() => {
        ref.current?.showModal()
        if (!isFirm) onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}
