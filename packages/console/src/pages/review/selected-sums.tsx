import { formatUsd } from '../../format/amount'
import { SumLine } from '../bank/sums'
import type { ReviewItem } from './review-query'

/** The exact sums of the selected transactions, by asset, and their estimated value. */
export const SelectedSums = ({ of }: { of: readonly ReviewItem[] }) => (
  <SumLine of={of.map(({ amount, asset }) => ({ amount, currency: asset.code }))}>
    <span class="hint">
      ≈ {formatUsd(of.reduce((sum, { usdValue }) => sum + (usdValue ?? 0), 0))}
      {of.some(({ usdValue }) => usdValue === null) ? ', and what has no rate' : ''}
    </span>
  </SumLine>
)
