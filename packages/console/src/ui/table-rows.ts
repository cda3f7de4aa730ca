import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { useKeys } from './keys'
import { nextRow } from './row-steps'

/**
 * Makes a table's rows walkable by `j` and `k`: the focus goes to each row's link or button, which `Enter` opens of
 * itself. A click anywhere on a row opens it too, unless it was on something else, or text was marked.
 */
export function useRows(body: RefObject<HTMLTableSectionElement | null>): void {
  const step = (by: 1 | -1) => {
    const openers = [...(body.current?.querySelectorAll<HTMLElement>('.row-open') ?? [])]
    const current = openers.findIndex((opener) => opener.closest('tr')?.contains(document.activeElement))
    const next = openers[nextRow(current, by, openers.length)]
    next?.focus()
    next?.closest('tr')?.scrollIntoView({ block: 'nearest' })
    // A row that is chosen on this page is chosen by walking to it.
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
