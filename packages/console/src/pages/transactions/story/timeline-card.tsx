import { useState } from 'preact/hooks'
import { useCan } from '../../../api/session'
import { useStore } from '../../../api/store'
import { formatDuration, formatTime, zoneLabel } from '../../../format/time'
import { toWords } from '../../../format/words'
import { Card } from '../../../ui/card'
import { Icon, type IconName } from '../../../ui/icon'
import { zoneStore } from '../../../ui/preferences'
import { ErrorNote, Skeleton } from '../../../ui/states'
import { Age } from '../../../ui/time'
import {
  hasEnded,
  type Transaction,
  useDecisions,
  useDeliveries,
  useEntries,
  useEvents,
  useMessages,
  useOnChain,
  usePhases,
  useScreeningJobs,
} from './story-query'
import { type Source, type StoryParts, sources, timelineOf } from './timeline'
import { TimelineLine } from './timeline-line'

const sourceWords: Record<Source, string> = {
  steps: 'Steps',
  people: 'People',
  journal: 'Journal',
  screening: 'Screening',
  chain: 'Chain',
  told: 'Notifications and webhooks',
  log: 'Services’ log',
}

/** The whole story in one line of time. Each part is read by itself: one that fails says so, and the others stand. */
export function TimelineCard({ of }: { of: Transaction }) {
  const isStaff = useCan('read')
  const [chosen, setHidden] = useState<ReadonlySet<Source> | null>(null)
  const { parts, failed, isPending } = useParts(of, isStaff && chosen?.has('log') === false)
  const zone = useStore(zoneStore)
  const lines = timelineOf(of, parts)
  const hidden = chosen ?? hiddenFirst(parts)
  const shown = lines.filter((line) => !hidden.has(line.is))
  const counts = Map.groupBy(lines, ({ is }) => is)
  const toggle = (source: Source) => {
    const next = new Set(hidden)
    if (!next.delete(source)) next.add(source)
    setHidden(next)
  }
  return (
    <Card
      title="What happened"
      aside={
        <span class="hint">
          {hasEnded(of.status) ? (
            `${formatDuration(Date.parse(of.updatedAt) - Date.parse(of.createdAt))} from beginning to end`
          ) : (
            <>
              <Age since={of.createdAt} /> so far
            </>
          )}
        </span>
      }
    >
      {parts.phases ? <StepLine phases={parts.phases} /> : null}
      <fieldset class="views" aria-label="Which lines">
        {sources
          .filter((source) => counts.has(source) || (source === 'log' && isStaff))
          .map((source) => (
            <button
              key={source}
              type="button"
              class="chip"
              aria-pressed={!hidden.has(source)}
              onClick={() => toggle(source)}
            >
              {sourceWords[source]}
              {counts.has(source) ? <span class="tab-count"> {counts.get(source)?.length}</span> : null}
            </button>
          ))}
      </fieldset>
      {failed.map(({ name, error, retry }) => (
        <ErrorNote key={name} error={error} title={`${name} could not be read.`} retry={retry} />
      ))}
      {isPending ? (
        <Skeleton lines={8} />
      ) : (
        <ol>
          {shown.flatMap((line, i) => {
            const [day, before] = [line, shown[i - 1]].map((each) => each && formatTime(each.at, zone).slice(0, 10))
            return [
              day === before ? null : (
                <li key={day} class="timeline-day">
                  {day} {zoneLabel(zone, new Date(line.at))}
                </li>
              ),
              <TimelineLine key={line.key} of={line} transaction={of} />,
            ]
          })}
        </ol>
      )}
      <p class="hint">
        Journal: <b>available</b> can be used by the account, <b>frozen</b> is held for something under way,{' '}
        <b>suspense</b> has arrived and is credited to nobody, <b>world</b> is outside, on the network.
        {isStaff ? (
          <>
            {' '}
            <a href={`/console/log?transactionId=${of.id}`}>Its messages in the activity log</a>
          </>
        ) : null}
      </p>
    </Card>
  )
}

/** The services' log says the same in their words; who was told is news while somebody was not. */
const hiddenFirst = ({ deliveries = [] }: StoryParts): ReadonlySet<Source> =>
  new Set(deliveries.every(({ status }) => status === 'delivered') ? ['log', 'told'] : ['log'])

/** The services' log is read once it is asked for. */
function useParts(of: Transaction, withLog: boolean) {
  const isStaff = useCan('read')
  const { order, chain } = useOnChain(of)
  const events = useEvents(of)
  const all = {
    phases: usePhases(of),
    decisions: useDecisions(of),
    entries: useEntries(of),
    jobs: useScreeningJobs(of),
    order,
    chain,
    events,
    deliveries: useDeliveries(of, events.data?.data.map(({ id }) => id) ?? []),
    messages: useMessages(of, withLog),
  }
  const parts: StoryParts = {
    phases: all.phases.data?.phases,
    decisions: all.decisions.data,
    entries: all.entries.data,
    jobs: all.jobs.data,
    order: order.data,
    chain: chain.data,
    events: events.data?.data,
    deliveries: all.deliveries.data?.deliveries,
    messages: all.messages.data?.data,
  }
  const failed = (Object.keys(all) as (keyof typeof all)[]).flatMap((part) => {
    const { data, error, refetch } = all[part]
    const isHidden = !isStaff && staffOnly.has(part)
    return error && data === undefined && !isHidden
      ? [{ name: partWords[part], error, retry: () => void refetch() }]
      : []
  })
  return { parts, failed, isPending: all.phases.isPending && all.entries.isPending }
}

const staffOnly: ReadonlySet<string> = new Set(['decisions', 'jobs', 'order', 'messages'])

const partWords = {
  phases: 'The phases',
  decisions: 'The decisions',
  entries: 'The journal entries',
  jobs: 'The screenings',
  order: 'The order at the wallet service',
  chain: 'The transaction on its network',
  events: 'The notifications',
  deliveries: 'The webhooks',
  messages: 'The services’ messages',
} as const

type Phase = NonNullable<StoryParts['phases']>[number]

const looks: Record<Phase['status'], { tone: string; icon: IconName; word: string }> = {
  COMPLETED: { tone: 'good', icon: 'check', word: 'done' },
  IN_PROGRESS: { tone: 'move', icon: 'moving', word: 'under way' },
  FAILED: { tone: 'bad', icon: 'bang', word: 'not passed' },
  PENDING: { tone: 'plain', icon: 'circle', word: 'to come' },
  SKIPPED: { tone: 'plain', icon: 'minus', word: 'not needed' },
}

/** Phases that wait for people are amber. */
const lookOf = ({ name, status }: Phase) =>
  name === 'review' && status === 'IN_PROGRESS'
    ? ({ tone: 'wait', icon: 'frozen', word: 'waits for a person' } as const)
    : looks[status]

/** Where a transaction is on its way: every phase, also those to come, and how long each took. */
const StepLine = ({ phases }: { phases: readonly Phase[] }) => (
  <ol class="row" aria-label="Phases">
    {phases.map((phase) => (
      <Step key={phase.name} of={phase} />
    ))}
  </ol>
)

function Step({ of }: { of: Phase }) {
  const { name, status, startedAt, completedAt } = of
  const { tone, icon, word } = lookOf(of)
  const took = completedAt && startedAt ? Date.parse(completedAt) - Date.parse(startedAt) : 0
  return (
    <li class={`phase tone-${tone}`}>
      <span class="phase-sign">
        <Icon name={icon} size={14} />
      </span>
      <span>
        <b>{toWords(name)}</b> {word}
        {took > 0 ? <span class="hint"> after {formatDuration(took)}</span> : null}
        {status === 'IN_PROGRESS' ? (
          <span class="hint">
            {' '}
            for <Age since={startedAt} />
          </span>
        ) : null}
      </span>
    </li>
  )
}
