import { toWords } from '../../format/words'
import { actorIn, HistoryItem } from '../../ui/actor'
import { Icon } from '../../ui/icon'
import type { PaymentDetail } from './payment'
import { PaymentStatusBadge } from './payment-columns'

type Line = PaymentDetail['history'][number]

/** Every step of a payment, the newest first: when, who, from where to where, and why. */
export const PaymentHistory = ({ of }: { of: readonly Line[] }) => (
  <ol class="history">
    {of.toReversed().map((line, i) => (
      <HistoryItem key={of.length - i} what={<What of={line} />} at={line.at} by={actorIn(line.by)}>
        {line.comment ? <blockquote>{line.comment}</blockquote> : null}
        {line.changes.map(({ field, before, after }) => (
          <p key={field} class="sub">
            {toWords(field)}: {before ?? 'none'} <Icon name="moving" size={12} /> {after ?? 'none'}
          </p>
        ))}
      </HistoryItem>
    ))}
  </ol>
)

function What({ of: { from, to, changes } }: { of: Line }) {
  if (from === null) return <strong>Ordered</strong>
  if (from === to && changes.length > 0) return <strong>Details changed</strong>
  return (
    <span class="row">
      <PaymentStatusBadge status={from} /> <Icon name="moving" size={12} /> <PaymentStatusBadge status={to} />
    </span>
  )
}
