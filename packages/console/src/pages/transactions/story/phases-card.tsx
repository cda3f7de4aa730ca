import { useCan } from '../../../api/session'
import { formatDuration } from '../../../format/time'
import { toWords } from '../../../format/words'
import { Card } from '../../../ui/card'
import { Icon, type IconName } from '../../../ui/icon'
import { Actor } from '../../../ui/names'
import { ErrorNote, Loaded } from '../../../ui/states'
import { Age, Time } from '../../../ui/time'
import { type Decision, type Mark, useDecisions, usePhases } from './story-query'

type Phase = NonNullable<ReturnType<typeof usePhases>['data']>['phases'][number]

/** The phases of a transaction in order, with the people who decided. */
export function PhasesCard({ of }: { of: Mark }) {
  const phases = usePhases(of)
  const decisions = useDecisions(of)
  const isStaff = useCan('read')
  return (
    <Card title="Phases">
      <Loaded of={phases} lines={5}>
        {(data) => (
          <ol class="phases">
            {data.phases.map((phase) => (
              <PhaseItem
                key={phase.name}
                phase={phase}
                decisions={(decisions.data ?? []).filter(({ decision }) => stationOf[decision] === phase.name)}
              />
            ))}
          </ol>
        )}
      </Loaded>
      {isStaff && decisions.error && !decisions.data ? (
        <ErrorNote
          error={decisions.error}
          title="The decisions could not be read."
          retry={() => void decisions.refetch()}
        />
      ) : null}
    </Card>
  )
}

const stationOf: Record<Decision['decision'], Phase['name']> = {
  ENTERED: 'created',
  PROPOSED: 'review',
  APPROVED: 'review',
  REJECTED: 'review',
  RETRIED: 'execution',
  FAILED: 'execution',
  RELEASE_PROPOSED: 'execution',
  RELEASED: 'execution',
  RETURN_PROPOSED: 'execution',
  RETURNED: 'execution',
}

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

function PhaseItem({ phase, decisions }: { phase: Phase; decisions: readonly Decision[] }) {
  const { name, startedAt, completedAt, detail } = phase
  const { tone, icon, word } = lookOf(phase)
  const isToCome = phase.status === 'PENDING' || phase.status === 'SKIPPED'
  return (
    <li class={`phase tone-${tone}${isToCome ? ' is-to-come' : ''}`}>
      <span class="phase-sign">
        <Icon name={icon} size={14} />
      </span>
      <div class="phase-words">
        <p>
          <b>{toWords(name)}</b> {word}
          {completedAt && startedAt && completedAt !== startedAt ? <> after {durationOf(phase)}</> : null}
          {phase.status === 'IN_PROGRESS' ? (
            <>
              {' '}
              for <Age since={startedAt} />
            </>
          ) : null}
        </p>
        {detail && !isInExecution(phase) ? <p class="phase-detail">{detail}</p> : null}
        {decisions.map((decision) => (
          <DecisionLine key={`${decision.decision} ${decision.at}`} of={decision} />
        ))}
      </div>
      {isToCome ? null : <Time at={completedAt ?? startedAt} isWhole />}
    </li>
  )
}

/** The execution's card shows what it waits for. */
const isInExecution = ({ name, status }: Phase): boolean =>
  status === 'IN_PROGRESS' && (name === 'execution' || name === 'confirmation')

const durationOf = ({ startedAt, completedAt }: Phase): string =>
  formatDuration(Date.parse(completedAt ?? '') - Date.parse(startedAt ?? ''))

const verbs: Record<Decision['decision'], string> = {
  ENTERED: 'entered it',
  PROPOSED: 'approved it as the first of two',
  APPROVED: 'approved it',
  REJECTED: 'rejected it',
  RETRIED: 'brought the next attempt forward',
  FAILED: 'failed it',
  RELEASE_PROPOSED: 'wanted it credited after all, as the first of two',
  RELEASED: 'had it credited after all',
  RETURN_PROPOSED: 'wanted it sent back, as the first of two',
  RETURNED: 'had it sent back to its source',
}

function DecisionLine({ of: { decision, actor, note, at } }: { of: Decision }) {
  return (
    <div class="decision">
      <p>
        <Actor of={actor} /> {verbs[decision]}{' '}
        <span class="hint">
          <Time at={at} isWhole />
        </span>
      </p>
      {note ? <blockquote>{note}</blockquote> : null}
    </div>
  )
}
