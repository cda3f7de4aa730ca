import type { ComponentChildren } from 'preact'
import { Amount } from '../../ui/amount'
import { sumsByCurrency } from './sums'

interface Props {
  of: Parameters<typeof sumsByCurrency>[0]
  children?: ComponentChildren
}

/** `1,250.50 USD  20,000 JPY`, to the last digit, and what is said of them. */
export const SumLine = ({ of, children }: Props) => (
  <p class="sum-line">
    {sumsByCurrency(of).map(({ currency, sum }) => (
      <strong key={currency}>
        <Amount value={sum} asset={currency} />
      </strong>
    ))}
    {children}
  </p>
)
