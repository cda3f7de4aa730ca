import { formatDuration } from '../../format/time'
import { Card } from '../../ui/card'
import { Empty, Loaded } from '../../ui/states'
import { Badge, Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { type Attempt, useAttempts } from './webhook-queries'

/** Every attempt of a delivery, newest first, with the receiver's answer. */
export function Attempts({ deliveryId, isOver }: { deliveryId: string; isOver: boolean }) {
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
            <ol class="attempts">
              {attempts.map((attempt, i) => (
                <AttemptItem key={attempt.id} attempt={attempt} number={attempts.length - i} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Card>
  )
}

function AttemptItem({ attempt, number }: { attempt: Attempt; number: number }) {
  const { startedAt, durationMs, httpStatus, answer, error } = attempt
  const isGood = error === null
  return (
    <li class={`attempt tone-${isGood ? 'good' : 'bad'}`}>
      <div class="attempt-line">
        <strong>{number}</strong>
        <Time at={startedAt} ms />
        {httpStatus === null ? (
          <Badge tone="bad" icon="bang">
            No answer
          </Badge>
        ) : (
          <Status value={String(httpStatus)} tone={isGood ? 'good' : 'bad'} />
        )}
        <span class="hint">{formatDuration(durationMs)}</span>
      </div>
      {error ? <p>{error}</p> : null}
      {answer ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre class="answer" tabIndex={0}>
          {answer}
        </pre>
      ) : null}
    </li>
  )
}
