import { Button } from '../../ui/button'
import { lookOfMove, moveWords } from './moves'
import type { PaymentStatus } from './payment'

interface Props {
  moves: readonly PaymentStatus[]
  choose(to: PaymentStatus): void
  isSmall?: boolean
}

/** The possible moves as buttons, the usual one first. */
export const MoveButtons = ({ moves, choose, isSmall }: Props) => (
  <>
    {moves.map((to, i) => (
      <Button key={to} isSmall={isSmall} look={lookOfMove(to, i)} icon={moveWords[to].icon} onClick={() => choose(to)}>
        {moveWords[to].verb}
      </Button>
    ))}
  </>
)
