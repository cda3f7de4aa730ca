import { counted } from '../../format/words'
import { Amount } from '../../ui/amount'
import { Button } from '../../ui/button'
import { lookOfMove, moveWords } from './moves'
import { commonMoves } from './moves-of'
import type { Payment, PaymentStatus } from './payment'
import { sumsByCurrency } from './sums'

/** The selected payments, their exact sums, and the moves that are possible for all of them. */
export function SelectionBar({
  of,
  choose,
  clear,
  all,
  selectAll,
}: {
  of: readonly Payment[]
  choose(to: PaymentStatus): void
  clear(): void
  /** How many of the shown payments can be selected. */
  all: number
  selectAll(): void
}) {
  const moves = commonMoves(of)
  return (
    <section class="card payment-selection" aria-label="Selected payments">
      <strong>{counted(of.length, 'payment')} selected</strong>
      <Sums of={of} />
      <div class="payment-selection-acts">
        {moves.map((to, i) => (
          <Button key={to} isSmall look={lookOfMove(to, i)} icon={moveWords[to].icon} onClick={() => choose(to)}>
            {moveWords[to].verb}
          </Button>
        ))}
        {moves.length === 0 ? (
          <span class="none">No step applies to all of them: select payments with the same status</span>
        ) : null}
        {of.length < all ? (
          <Button isSmall look="quiet" onClick={selectAll}>
            Select all {all} shown
          </Button>
        ) : null}
        <Button isSmall look="quiet" icon="cross" onClick={clear}>
          Clear
        </Button>
      </div>
    </section>
  )
}

/** `1,250.50 USD · 20,000 JPY`, to the last digit. */
export const Sums = ({ of }: { of: readonly Payment[] }) => (
  <ul class="payment-sums">
    {sumsByCurrency(of).map(({ currency, sum }) => (
      <li key={currency}>
        <Amount value={sum} asset={currency} />
      </li>
    ))}
  </ul>
)
