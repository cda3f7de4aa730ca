import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { useKeys } from './keys'
import { nextRow } from './row-steps'

/**
 * Lets `j` and `k` walk a table's rows: the focus moves to each row's link or button, which `Enter` opens
 * natively; `j` on the last one calls `onEnd`. A click anywhere on a row opens it too, unless it hit another control, or
 * text is selected.
 */
export function useRows(body: RefObject<HTMLTableSectionElement | null>, onEnd: () => void): void {
  const step = (by: 1 | -1) => {
    const openers = [...(body.current?.querySelectorAll<HTMLElement>('.row-open') ?? [])]
    const current = openers.findIndex((opener) => opener.closest('tr')?.contains(document.activeElement))
    if (by === 1 && current >= 0 && current === openers.length - 1) onEnd()
    const next = openers[nextRow(current, by, openers.length)]
    next?.focus()
    next?.closest('tr')?.scrollIntoView({ block: 'nearest' })
    // Rows that are chosen on this page are chosen by walking to them.
    if (next instanceof HTMLButtonElement) next.click()
  }
  useKeys([
    { key: 'j', does: 'Next row', group: 'Lists', run: () => step(1) },
    { key: 'k', does: 'Previous row', group: 'Lists', run: () => step(-1) },
  ])
  useEffect(() => {
    const open = (event: MouseEvent) => {
      if (!(event.target instanceof Element) || event.target.closest('a, button, input, summary, label')) return
      if (getSelection()?.isCollapsed === false) return
      if (!body.current?.contains(event.target)) return
      const opener = event.target.closest('tr')?.querySelector<HTMLElement>('.row-open')
      opener?.dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: event.ctrlKey, metaKey: event.metaKey }),
      )
    }
    document.addEventListener('click', open)
    return () => document.removeEventListener('click', open)
  }, [])
}
