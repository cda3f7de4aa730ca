import { formatDuration } from '../../format/time'
import { Card } from '../../ui/card'
import { Copy } from '../../ui/id'
import { Empty, Loaded } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { requestText } from './chosen-events'
import { type Attempt, useAttempts } from './webhook-queries'

/** Every attempt of a delivery, newest first, with the receiver's answer. */
export function Attempts({ deliveryId, body, isOver }: { deliveryId: string; body: string; isOver: boolean }) {
  const read = useAttempts(deliveryId)
  return (
    <Card title="Attempts" aside={read.data ? read.data.length : null}>
      <Loaded of={read}>
        {(attempts) =>
          attempts.length === 0 ? (
            <Empty
              icon={isOver ? 'info' : 'clock'}
              title={isOver ? 'No attempt was made' : 'No attempt has ended yet'}
            />
          ) : (
            <ol>
              {attempts.map((attempt, i) => (
                <AttemptItem key={attempt.id} attempt={attempt} body={body} number={attempts.length - i} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Card>
  )
}

function AttemptItem({ attempt, body, number }: { attempt: Attempt; body: string; number: number }) {
  const { startedAt, durationMs, httpStatus, request, answer, error } = attempt
  const isGood = error === null
  return (
    <li class={`attempt tone-${isGood ? 'good' : 'bad'}`}>
      <div class="row">
        <strong>{number}</strong>
        <Time at={startedAt} ms />
        {httpStatus === null ? (
          <Status value="no answer" tone="bad" />
        ) : (
          <Status value={String(httpStatus)} tone={isGood ? 'good' : 'bad'} />
        )}
        <span class="hint">{formatDuration(durationMs)}</span>
      </div>
      {error ? <p>{error}</p> : null}
      {request ? <SentText text={requestText(request, body)} /> : null}
      {answer ? (
        <div>
          <p class="hint">Answer</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre class="answer" tabIndex={0}>
            {answer}
          </pre>
        </div>
      ) : null}
    </li>
  )
}

/** What the receiver was sent: with it, it can be seen why a signature does not verify there. */
const SentText = ({ text }: { text: string }) => (
  <details class="json">
    <summary>Request, with its signature</summary>
    <div class="json-text">
      <Copy value={text} label="Copy the request" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre class="answer" tabIndex={0}>
        {text}
      </pre>
    </div>
  </details>
)
