import { useState } from 'preact/hooks'
import { counted } from '../../format/words'
import { Amount } from '../../ui/amount'
import { Button } from '../../ui/button'
import { MoveMany } from './move-many'
import { moveWords } from './moves'
import { commonMoves } from './moves-of'
import type { Payment, PaymentStatus } from './payment'
import { sumsByCurrency } from './sums'

/** What is selected, its exact sums, and what can be done with all of it. */
export function SelectionBar({ of, clear }: { of: readonly Payment[]; clear(): void }) {
  const [chosen, setChosen] = useState<{ to: PaymentStatus; of: readonly Payment[] } | null>(null)
  const moves = commonMoves(of)
  return (
    <section class="card payment-selection" aria-label="Selected payments">
      <strong>{counted(of.length, 'payment')} selected</strong>
      <Sums of={of} />
      <div class="payment-selection-acts">
        {moves.map((to) => (
          <Button
            key={to}
            isSmall
            look={moveWords[to].look}
            icon={moveWords[to].icon}
            onClick={() => setChosen({ to, of })}
          >
            {moveWords[to].verb}
          </Button>
        ))}
        {moves.length === 0 ? <span class="none">No step fits all of them: select payments of one status</span> : null}
        <Button isSmall look="quiet" icon="cross" onClick={clear}>
          Clear
        </Button>
      </div>
      {chosen ? <MoveMany {...chosen} onClose={() => setChosen(null)} onAllDone={clear} /> : null}
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
