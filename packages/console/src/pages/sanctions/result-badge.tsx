import { Badge } from '../../ui/status'

/** The result of a screening: a hit, nothing, or still pending. */
export function ResultBadge({ status, sanctioned }: { status: string; sanctioned: boolean | null }) {
  if (sanctioned === true) {
    return (
      <Badge tone="bad" icon="sanctions">
        Sanctioned
      </Badge>
    )
  }
  if (sanctioned === false) {
    return (
      <Badge tone="good" icon="check">
        Clear
      </Badge>
    )
  }
  return status === 'failed' ? (
    <Badge tone="wait" icon="alert">
      Not known
    </Badge>
  ) : (
    <Badge tone="move" icon="clock">
      Under way
    </Badge>
  )
}
