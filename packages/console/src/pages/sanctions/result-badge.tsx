import { Badge } from '../../ui/status'

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
