import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useKeys } from '../../ui/keys'
import { useMedia } from '../../ui/use-media'
import { groupRows, type LogItem } from './group-rows'
import type { LogMessage } from './log-query'
import { LogRow } from './log-row'
import { useWindow } from './use-window'

const wideRowPx = 38
const narrowRowPx = 66

/** The messages in rows of equal height; only those in the window are in the document. */
export function LogList({
  rows: messages,
  onOpen,
}: {
  rows: readonly LogMessage[]
  onOpen(message: LogMessage): void
}) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => groupRows(messages, opened), [messages, opened])
  const body = useRef<HTMLTableSectionElement>(null)
  const rowPx = useMedia('(max-width: 759px)') ? narrowRowPx : wideRowPx
  const { from, to } = useWindow(body, rows.length, rowPx)
  const shown = useRows(rows, from, to)
  const step = useSteps(body, rows, rowPx)
  useLayoutEffect(() => {
    if (!body.current) return
    body.current.style.height = `${rows.length * rowPx}px`
    // In place of the rows above the window.
    body.current.style.paddingTop = `${from * rowPx}px`
  })
  useOpening(body, (id) => {
    const item = rows.find(({ message }) => message.id === id)
    if (!item) return
    if (item.alike.length > 1) setOpened(new Set([...opened, id]))
    else onOpen(item.message)
  })
  useKeys([
    { key: 'j', does: 'Next row', group: 'Lists', run: () => step(1) },
    { key: 'k', does: 'Previous row', group: 'Lists', run: () => step(-1) },
  ])
  return (
    <table class="log" aria-label="Log messages" aria-rowcount={rows.length + 1}>
      <thead>
        <tr class="log-head">
          {['Time', 'Service', 'Event', 'Detail', 'Request', 'Status'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>{shown}</tbody>
    </table>
  )
}

/** The rows in the window; rows that stay are not rendered again while scrolling. */
function useRows(rows: readonly LogItem[], from: number, to: number): VNode[] {
  const kept = useRef(new Map<string, VNode>())
  const next = new Map(
    rows.slice(from, to).map(({ message, alike }, i): [string, VNode] => {
      const name = `${from + i} ${message.id} ${alike.length}`
      const row = kept.current.get(name) ?? <LogRow key={message.id} message={message} alike={alike} place={from + i} />
      return [name, row]
    }),
  )
  kept.current = next
  return [...next.values()]
}

/** A click anywhere on a row opens it, unless it hit another control, or text is selected. */
function useOpening(body: { current: HTMLElement | null }, open: (id: string) => void) {
  const latest = useRef(open)
  latest.current = open
  useEffect(() => {
    const element = body.current
    const click = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest('a, .copy')) return
      const id = target.closest<HTMLElement>('.log-row')?.dataset.id
      if (id && getSelection()?.isCollapsed !== false) latest.current(id)
    }
    element?.addEventListener('click', click)
    return () => element?.removeEventListener('click', click)
  }, [])
}

/** Walks the rows: scrolls the next one into the window, then focuses it. */
function useSteps(body: { current: HTMLElement | null }, rows: readonly LogItem[], rowPx: number) {
  const [wanted, setWanted] = useState<string | null>(null)
  useLayoutEffect(() => {
    if (wanted === null) return
    const opener = body.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(wanted)}"] .row-open`)
    if (!opener) return
    opener.focus({ preventScroll: true })
    setWanted(null)
  })
  return (by: 1 | -1) => {
    const current = document.activeElement?.closest<HTMLElement>('.log-row')?.dataset.id
    const at = rows.findIndex(({ message }) => message.id === current)
    const next = at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))
    const row = rows[next]
    if (!row || !body.current) return
    const top = body.current.getBoundingClientRect().top + next * rowPx
    const margin = 3 * rowPx
    if (top < margin) scrollBy({ top: top - margin })
    else if (top > innerHeight - margin) scrollBy({ top: top - innerHeight + margin })
    setWanted(row.message.id)
  }
}
