import { formatCount } from '../../../format/amount'
import { toWords } from '../../../format/words'
import { Card } from '../../../ui/card'
import { Id } from '../../../ui/id'
import { Empty, Loaded } from '../../../ui/states'
import { Status } from '../../../ui/status'
import { Time } from '../../../ui/time'
import { byRequest } from './message-groups'
import { type Mark, useMessages } from './story-query'

type Message = NonNullable<ReturnType<typeof useMessages>['data']>['data'][number]

/** The log messages about it, by the request that caused them. */
export function MessagesCard({ of }: { of: Mark }) {
  const messages = useMessages(of)
  const total = messages.data?.pagination.total
  return (
    <Card
      title="What the services logged"
      aside={
        <a href={`/console/log?transactionId=${of.id}`}>{total ? `All ${formatCount(total)} in the log` : 'Log'}</a>
      }
    >
      <Loaded of={messages} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No message yet">Messages arrive within moments, also in the log.</Empty>
          ) : (
            byRequest(data).map(({ requestId, messages }) => (
              <section class="request" key={requestId} aria-label={`Request ${requestId}`}>
                <h3 class="hint">
                  {requestId === of.id ? 'By itself' : 'Request'}{' '}
                  <Id value={requestId} href={`/console/log?requestId=${encodeURIComponent(requestId)}`} />
                </h3>
                <ul class="rows">
                  {messages.map((message) => (
                    <MessageRow key={message.id} of={message} />
                  ))}
                </ul>
              </section>
            ))
          )
        }
      </Loaded>
    </Card>
  )
}

function MessageRow({ of: { timestamp, service, event_type, status, metadata } }: { of: Message }) {
  const action = [metadata.action, metadata.wallet_status].find((text) => typeof text === 'string') as
    | string
    | undefined
  const detail = [metadata.detail, metadata.message, metadata.reason].find((text) => typeof text === 'string')
  return (
    <li>
      <Time at={timestamp} ms />
      <span>
        <code class="service">{service}</code> {toWords(event_type)}
        {action ? (
          <>
            {' '}
            · <b>{toWords(action).toLowerCase()}</b>
          </>
        ) : null}
        {detail ? <span class="sub">{String(detail)}</span> : null}
      </span>
      <Status value={status} />
    </li>
  )
}
