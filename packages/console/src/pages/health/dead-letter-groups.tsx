import { reread } from '../../api/query'
import { useCan } from '../../api/session'
import { counted } from '../../format/words'
import { Act } from '../../ui/act'
import { Card } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { Loaded } from '../../ui/states'
import { Age, Ago, Time } from '../../ui/time'
import { retryLetter, type ServiceState, useLetters } from './health-query'
import { groupLetters, type LetterGroup } from './health-state'
import { retryAll, wordsOf } from './retry-letters'

/** The dead letters of all services, grouped by cause. */
export function DeadLetterGroups({ services }: { services: readonly ServiceState[] }) {
  const having = services.filter(({ operations }) => operations?.queue.deadLetters)
  if (having.length === 0) return null
  return (
    <Card title="Dead letters" aside={<span>tried 25 times, or refused</span>}>
      {having.map(({ name, operations }) => (
        <OfService key={name} service={name} count={operations?.queue.deadLetters ?? 0} />
      ))}
    </Card>
  )
}

function OfService({ service, count }: { service: string; count: number }) {
  const letters = useLetters(service, count)
  return (
    <section class="rows" aria-label={`Dead letters of ${service}`}>
      <h3>{service}</h3>
      <Loaded of={letters} lines={2}>
        {({ items, total }) => (
          <>
            {groupLetters(items).map((group) => (
              <Group key={group.key} of={group} />
            ))}
            {total > items.length ? (
              <p class="hint">
                The newest {items.length} of {counted(total, 'dead letter')} are shown.
              </p>
            ) : null}
          </>
        )}
      </Loaded>
    </section>
  )
}

function Group({ of }: { of: LetterGroup }) {
  const mayRetry = useCan('operate')
  const { letters, events, error, newestAt, oldestAt } = of
  return (
    <article class="box rows">
      <div class="ends">
        <b>{events.join(', ') || 'Unreadable'}</b>
        <span class="hint">
          {counted(letters.length, 'letter')}, <Ago what="newest" at={newestAt} />
          {letters.length > 1 ? (
            <>
              , oldest <Age since={oldestAt} />
            </>
          ) : null}
        </span>
        {mayRetry ? (
          <DialogButton isSmall icon="refresh" dialog={(close) => <RetryAct of={of} onClose={close} />}>
            Retry {letters.length === 1 ? '' : `all ${letters.length}`}
          </DialogButton>
        ) : null}
      </div>
      <p class="bad">{error}</p>
      <Letters of={of} />
    </article>
  )
}

function Letters({ of: { letters } }: { of: LetterGroup }) {
  return (
    <details>
      <summary>{letters.length === 1 ? 'Its events' : 'Each of them'}</summary>
      <ul class="rows">
        {letters.map(({ id, at, attempts, events }) => (
          <li key={id}>
            <Time at={at} isWhole /> <code>{id}</code> {counted(attempts, 'attempt')}
            {events.length > 1 ? `, ${counted(events.length, 'event')}` : ''}
          </li>
        ))}
      </ul>
    </details>
  )
}

function RetryAct({ of, onClose }: { of: LetterGroup; onClose(): void }) {
  const count = of.letters.length
  return (
    <Act
      title={count === 1 ? 'Retry this dead letter?' : `Retry ${count} dead letters?`}
      confirm="Retry"
      act={() => retryAll(of.letters, retryLetter)}
      done={wordsOf}
      onDone={() => reread(['health'], ['dead-letters'])}
      onClose={onClose}
    >
      <p>
        {of.consumer} takes {count === 1 ? 'it' : 'them'} from its queue again, with all attempts before{' '}
        {count === 1 ? 'it' : 'them'}. An event that was acted on already is not acted on twice. If the cause is not
        gone, {count === 1 ? 'it comes' : 'they come'} back here after about an hour and a half.
      </p>
      <p class="bad">{of.error}</p>
    </Act>
  )
}
