import { Actor } from './names'
import { Status } from './status'
import { Time } from './time'

interface Entry {
  from: string
  to: string
  reason: string | null
  actor: { kind: string; id: string } | null
  at: string
}

/** What became of a record: each change of its status, who made it and why. The newest first. */
export function StatusHistory({ entries, createdAt }: { entries: readonly Entry[]; createdAt: string }) {
  return (
    <ol class="history">
      {entries.toReversed().map((entry) => (
        <li key={`${entry.at}${entry.to}`}>
          <div class="history-head">
            <Change {...entry} />
            <Time at={entry.at} />
          </div>
          {entry.reason ? <p class="history-reason">{entry.reason}</p> : null}
          <p class="history-actor">
            by <Actor of={entry.actor} />
          </p>
        </li>
      ))}
      <li>
        <div class="history-head">
          <span>Created</span>
          <Time at={createdAt} />
        </div>
      </li>
    </ol>
  )
}

function Change({ from, to }: Entry) {
  if (from === to) return <span>Comment</span>
  return (
    <span class="history-change">
      <Status value={from} />
      <span aria-hidden="true">→</span>
      <span class="visually-hidden">became</span>
      <Status value={to} />
    </span>
  )
}
