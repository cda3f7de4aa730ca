import { useStore } from '../../api/store'
import { formatTime } from '../../format/time'
import { RequestId } from '../../ui/id'
import { zoneStore } from '../../ui/preferences'
import { Status } from '../../ui/status'
import type { LogMessage } from './log-query'
import { wordsOf } from './message-words'

/** One message in a line, or several alike; its button opens it, or shows them one by one. */
export function LogRow({
  message,
  alike,
  place,
}: {
  message: LogMessage
  alike: readonly LogMessage[]
  place: number
}) {
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
