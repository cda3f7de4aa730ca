import { useRead } from '../api/read'
import type { Answer } from '../api/services'
import { useCan } from '../api/session'
import { HistoryItem } from './actor'
import { Card } from './card'
import { Loaded } from './states'
import { Status } from './status'
import type { Tone } from './status-words'

interface Entry<Word extends string> {
  from: Word
  to: Word
  reason: string | null
  actor: { kind: string; id: string } | null
  at: string
}

export interface HistoryProps<Word extends string> {
  /** The key of its record, and how its history is read. */
  of: readonly [thing: string, id: string]
  read(signal: AbortSignal): Promise<Answer<readonly Entry<Word>[]>>
  createdAt: string
  /** For statuses with a special meaning here. */
  toneOf?(status: Word): Tone
}

/** For staff: the card with a record's history; nothing while it was only created. */
export function HistoryCard<Word extends string>({ of, read, ...rest }: HistoryProps<Word>) {
  const isStaff = useCan('read')
  const history = useRead([...of, 'history'], read, { enabled: isStaff })
  if (!isStaff || history.data?.length === 0) return null
  return (
    <Card title="History">
      <Loaded of={history} lines={2}>
        {(entries) => <StatusHistory entries={entries} {...rest} />}
      </Loaded>
    </Card>
  )
}

/** Each change of its status, who made it and why. Newest first. */
function StatusHistory<Word extends string>({
  entries,
  createdAt,
  toneOf,
}: Omit<HistoryProps<Word>, 'of' | 'read'> & { entries: readonly Entry<Word>[] }) {
  return (
    <ol class="history">
      {entries.toReversed().map((entry) => (
        <HistoryItem
          key={`${entry.at}${entry.to}`}
          what={<Change of={entry} toneOf={toneOf} />}
          at={entry.at}
          by={entry.actor}
        >
          {entry.reason ? <p class="said">{entry.reason}</p> : null}
        </HistoryItem>
      ))}
      <HistoryItem what={<span>Created</span>} at={createdAt} />
    </ol>
  )
}

function Change<Word extends string>({
  of: { from, to },
  toneOf,
}: {
  of: Entry<Word>
  toneOf: ((status: Word) => Tone) | undefined
}) {
  if (from === to) return <span>Comment</span>
  return (
    <span class="row">
      <Status value={from} tone={toneOf?.(from)} />
      <span aria-hidden="true">→</span>
      <span class="visually-hidden">became</span>
      <Status value={to} tone={toneOf?.(to)} />
    </span>
  )
}
