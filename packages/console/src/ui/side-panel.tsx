import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** What was chosen in the list beside it. Below the list, where there is no room, it would be out of sight. */
export function SidePanel({ children }: { children: ComponentChildren }) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (matchMedia('(max-width: 999px)').matches) panel.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <div class="stack side-panel" ref={panel}>
      {children}
    </div>
  )
}
