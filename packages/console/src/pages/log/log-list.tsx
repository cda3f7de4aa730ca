import type { RefObject, VNode } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useStore } from '../../api/store'
import { formatTime } from '../../format/time'
import { RequestId } from '../../ui/id'
import { useKeys } from '../../ui/keys'
import { zoneStore } from '../../ui/preferences'
import { Status } from '../../ui/status'
import { useMedia } from '../../ui/use-media'
import { groupRows, type LogItem } from './group-rows'
import type { LogMessage } from './log-query'
import { wordsOf } from './message-words'

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

/** Rows rendered beyond the window, ready for scrolling. */
const spare = 12

/** The rows of a long list that are in the window; all are `rowPx` high. Only these are in the document. */
function useWindow(list: RefObject<HTMLElement | null>, count: number, rowPx: number) {
  const [seen, setSeen] = useState({ from: 0, to: 60 })
  useLayoutEffect(() => {
    let frame = 0
    const measure = () => {
      frame = 0
      const top = list.current?.getBoundingClientRect().top ?? 0
      const from = Math.max(0, Math.floor(-top / rowPx) - spare)
      const to = Math.ceil((innerHeight - top) / rowPx) + spare
      setSeen((known) => (known.from === from && known.to === to ? known : { from, to }))
    }
    const later = () => {
      frame ||= requestAnimationFrame(measure)
    }
    measure()
    addEventListener('scroll', later, { passive: true })
    addEventListener('resize', later)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', later)
      removeEventListener('resize', later)
    }
  }, [count, rowPx])
  return { from: Math.min(seen.from, count), to: Math.min(seen.to, count) }
}

/** One message in a line, or several alike; its button opens it, or shows them one by one. */
function LogRow({ message, alike, place }: { message: LogMessage; alike: readonly LogMessage[]; place: number }) {
  const services = new Set(alike.map(({ service }) => service))
  const zone = useStore(zoneStore)
  const { event, action, detail } = wordsOf(message)
  const [day, time = ''] = formatTime(message.timestamp, zone, true).split(' ')
  const [seconds, ms] = time.split('.')
  return (
    <tr class="log-row" aria-rowindex={place + 2} data-id={message.id}>
      <td class="log-time">
        <button type="button" class="row-open">
          <span class="visually-hidden">
            {alike.length > 1 ? `Show all ${alike.length}: ` : ''}
            {event} {action},{' '}
          </span>
          <time dateTime={message.timestamp} title={message.timestamp}>
            <span class="log-day">{day?.slice(5)} </span>
            {seconds}
            <span class="log-ms">.{ms}</span>
          </time>
        </button>
      </td>
      <td class="log-service">{services.size > 1 ? `${services.size} services` : <code>{message.service}</code>}</td>
      <td class="log-event">
        {event}
        {action === '' ? null : <b> {action}</b>}
        {alike.length > 1 ? <span class="log-alike"> ×{alike.length}</span> : null}
      </td>
      <td class="log-detail" title={alike.length > 1 ? undefined : detail}>
        {alike.length > 1 ? [...services].sort().join(', ') : detail}
      </td>
      <td class="log-request">
        <RequestId value={message.request_id} isBare />
      </td>
      <td class="log-status">
        <Status value={message.status} tone={message.status === 'PENDING' ? 'plain' : undefined} />
      </td>
    </tr>
  )
}
