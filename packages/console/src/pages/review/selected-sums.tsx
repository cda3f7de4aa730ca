import { formatUsd } from '../../format/amount'
import { Amount } from '../../ui/amount'
import { sumsByCurrency } from '../bank/sums'
import type { ReviewItem } from './review-query'

/** The exact sums of the selected transactions, by asset, and their estimated value. */
export function SelectedSums({ of }: { of: readonly ReviewItem[] }) {
  const usd = of.reduce((sum, { usdValue }) => sum + (usdValue ?? 0), 0)
  const unknown = of.some(({ usdValue }) => usdValue === null)
  return (
    <p class="selected-sums">
      {sumsByCurrency(of.map(({ amount, asset }) => ({ amount, currency: asset.code }))).map(({ currency, sum }) => (
        <strong key={currency}>
          <Amount value={sum} asset={currency} />
        </strong>
      ))}
      <span class="hint">
        ≈ {formatUsd(usd)}
        {unknown ? ', and what has no rate' : ''}
      </span>
    </p>
  )
}
