import { Badge } from '../../ui/status'

/** What one source of a screening says. */
export const MatchBadge = ({ isMatch }: { isMatch: boolean }) => (
  <Badge tone={isMatch ? 'bad' : 'good'} icon={isMatch ? 'bang' : 'check'}>
    {isMatch ? 'Match' : 'No match'}
  </Badge>
)

/** The result of a screening: a hit, nothing, or still pending. */
export const ResultBadge = ({ status, sanctioned }: { status: string; sanctioned: boolean | null }) => {
  const [tone, icon, words] =
    sanctioned === true
      ? (['bad', 'sanctions', 'Sanctioned'] as const)
      : sanctioned === false
        ? (['good', 'check', 'Clear'] as const)
        : status === 'failed'
          ? (['wait', 'alert', 'Not known'] as const)
          : (['move', 'clock', 'Under way'] as const)
  return <Badge {...{ tone, icon }}>{words}</Badge>
}
