import { formatCount } from '../../format/amount'
import { shareOf } from './share'
import type { Figures } from './webhook-queries'

/** The share of an endpoint's deliveries of the last day that succeeded. */
export function SuccessShare({ figures }: { figures: Figures | undefined }) {
  if (!figures) return <span class="bone bone-1" />
  const { delivered, failed, pending, isPartial } = figures
  const ended = delivered + failed
  if (ended === 0) return <span class="none">{pending > 0 ? `${formatCount(pending)} under way` : 'nothing sent'}</span>
  const share = delivered / ended
  return (
    <span class={`share tone-${share >= 0.99 ? 'good' : share >= 0.9 ? 'wait' : 'bad'}`}>
      <b>{shareOf(delivered, ended)}</b>{' '}
      <span class="hint">
        {formatCount(delivered)} of {isPartial ? 'the newest ' : ''}
        {formatCount(ended)}
      </span>
    </span>
  )
}
