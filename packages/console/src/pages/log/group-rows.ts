import type { LogMessage } from './log-query'

/** A line of the list: a message, or several alike that follow each other. */
export interface LogItem {
  /** The newest of them. */
  message: LogMessage
  /** All of them; one for a message of its own. */
  alike: readonly LogMessage[]
}

/** From this number on messages that follow each other and say the same are one line. */
const fewestAlike = 3

/** What services say of themselves: many of them are no news. Messages about records always stand by themselves. */
const ofServices: ReadonlySet<LogMessage['event_type']> = new Set([
  'SERVICE_STARTED',
  'SERVICE_STOPPED',
  'HEALTH_CHECK',
])

/** Alike messages of services in one line, unless their newest one is among `opened`. */
export function groupRows(rows: readonly LogMessage[], opened: ReadonlySet<string>): LogItem[] {
  const items: LogItem[] = []
  for (let at = 0; at < rows.length; ) {
    const first = rows[at] as LogMessage
    let end = at + 1
    while (ofServices.has(first.event_type) && isAlike(first, rows[end])) end += 1
    const alike = rows.slice(at, end)
    if (alike.length >= fewestAlike && !opened.has(first.id)) items.push({ message: first, alike })
    else items.push(...alike.map((message) => ({ message, alike: [message] })))
    at = end
  }
  return items
}

const isAlike = (one: LogMessage, other: LogMessage | undefined): boolean =>
  other !== undefined && other.event_type === one.event_type && other.status === one.status
