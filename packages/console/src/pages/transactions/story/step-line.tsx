import { formatDuration } from '../../../format/time'
import { toWords } from '../../../format/words'
import { Icon, type IconName } from '../../../ui/icon'
import { Age } from '../../../ui/time'
import type { StoryParts } from './timeline'

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
export const StepLine = ({ phases }: { phases: readonly Phase[] }) => (
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
