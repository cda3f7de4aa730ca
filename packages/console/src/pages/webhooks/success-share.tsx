import { formatCount } from '../../format/amount'
import { Meter } from '../../ui/meter'
import { shareOf } from './share'
import type { Figures } from './webhook-queries'

/** The share of an endpoint's deliveries of the last day that succeeded. */
export function SuccessShare({ figures }: { figures: Figures | undefined }) {
  if (!figures) return <span class="bone bone-1" />
  const { delivered, failed, pending, isPartial } = figures
  const ended = delivered + failed
  if (ended === 0) return <span class="none">{pending > 0 ? `${formatCount(pending)} under way` : 'nothing sent'}</span>
  const percent = shareOf(delivered, ended)
  const words = `${formatCount(delivered)} of ${isPartial ? 'the newest ' : ''}${formatCount(ended)} delivered`
  return (
    <span class="share">
      <Meter value={delivered} max={ended} tone={toneOf(delivered / ended)} words={words} />
      <span class="share-words">
        {percent} <span class="hint">{words}</span>
      </span>
    </span>
  )
}

const toneOf = (share: number) => (share >= 0.99 ? 'good' : share >= 0.9 ? 'wait' : 'bad')
