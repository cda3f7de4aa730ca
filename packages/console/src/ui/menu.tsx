import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/** A button that opens a menu below it. Native popover: Escape and a click outside close it. */
export function Menu({
  label,
  button,
  children,
  look,
}: {
  label: string
  button: ComponentChildren
  children: ComponentChildren
  look: string
}) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = list.current
    const place = (event: Event) => {
      if ((event as ToggleEvent).newState !== 'open' || !element || !opener.current) return
      const at = opener.current.getBoundingClientRect()
      element.style.top = `${at.bottom + 4}px`
      element.style.right = `${document.documentElement.clientWidth - at.right}px`
    }
    const choose = (event: Event) => {
      if (event.target instanceof Element && event.target.closest('a, button:not([data-keep])')) element?.hidePopover()
    }
    element?.addEventListener('beforetoggle', place)
    element?.addEventListener('click', choose)
    return () => {
      element?.removeEventListener('beforetoggle', place)
      element?.removeEventListener('click', choose)
    }
  }, [])
  return (
    <>
      <button ref={opener} type="button" class={look} popovertarget={id} aria-label={label}>
        {button}
      </button>
      <div ref={list} id={id} popover="auto" class="menu">
        {children}
      </div>
    </>
  )
}
