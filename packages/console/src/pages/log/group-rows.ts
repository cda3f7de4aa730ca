import type { LogMessage } from './log-query'
import { wordsOf } from './message-words'

/** A line of the list: a message, or several alike that follow each other. */
export interface LogItem {
  /** The newest of them. */
  message: LogMessage
  /** All of them; one for a message of its own. */
  alike: readonly LogMessage[]
}

/** From this number on messages that follow each other and say the same are one line. */
const fewestAlike = 3

/** Alike messages in one line, unless their newest one is among `opened`. */
export function groupRows(rows: readonly LogMessage[], opened: ReadonlySet<string>): LogItem[] {
  const items: LogItem[] = []
  for (let at = 0; at < rows.length; ) {
    const first = rows[at] as LogMessage
    const key = keyOf(first)
    let end = at + 1
    while (end < rows.length && keyOf(rows[end] as LogMessage) === key) end += 1
    const alike = rows.slice(at, end)
    if (alike.length >= fewestAlike && !opened.has(first.id)) items.push({ message: first, alike })
    else items.push(...alike.map((message) => ({ message, alike: [message] })))
    at = end
  }
  return items
}

const keys = new WeakMap<LogMessage, string>()

/** What it says, whoever says it. Messages about transactions are told apart. */
function keyOf(message: LogMessage): string {
  const known = keys.get(message)
  if (known !== undefined) return known
  const { event, action } = wordsOf(message)
  const transaction = message.metadata.transaction_id
  const key = [
    message.event_type,
    event,
    action,
    message.status,
    typeof transaction === 'string' ? transaction : '',
  ].join(' | ')
  keys.set(message, key)
  return key
}
