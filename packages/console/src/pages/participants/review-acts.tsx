import { useState } from 'preact/hooks'
import { reread } from '../../api/query'
import { main } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { Act, MoreActs } from '../../ui/act'
import { Button } from '../../ui/button'
import type { Institution, InstitutionRow } from './institution-query'
import { isForAnother, type Move, movesFrom } from './review-moves'

/** The steps that the review can take next: two as buttons, the others in a menu. */
export function ReviewActs({ of }: { of: InstitutionRow & Partial<Institution> }) {
  const [move, setMove] = useState<Move | null>(null)
  const session = useSession()
  if (!useCan('operate')) return null
  const waits = isForAnother(of, session)
  const all = movesFrom(of.status).filter(({ to }) => !(waits && to === 'APPROVED'))
  const shown = all.filter(({ to }) => to !== 'OFFBOARDED').slice(0, 2)
  const others = all.filter((each) => !shown.includes(each))
  return (
    <>
      {shown.map((each) => (
        <Button key={each.to} look={each.look} onClick={() => setMove(each)}>
          {each.verb}
        </Button>
      ))}
      {others.length > 0 ? (
        <MoreActs label="Other steps" acts={others.map((each) => [each.verb, () => setMove(each)] as const)} />
      ) : null}
      {move ? <MoveDialog of={of} move={move} onClose={() => setMove(null)} /> : null}
    </>
  )
}

function MoveDialog({ of: { id, name }, move, onClose }: { of: InstitutionRow; move: Move; onClose(): void }) {
  return (
    <Act
      title={`${move.verb}${move.verb.includes(' ') ? ' of' : ''} ${name}?`}
      confirm={move.verb}
      look={move.look === 'danger' ? 'danger' : 'main'}
      note={{
        label: move.needsReason ? 'Reason' : 'Comment',
        hint: 'Stays in the history, with your name.',
        min: move.needsReason ? 3 : 0,
      }}
      act={({ note }) => {
        const body = { status: move.to, ...(note ? { comments: note } : {}) }
        return main.PUT('/admin/pfi/{id}/status', { params: { path: { id } }, body })
      }}
      done={`${name} is ${move.done}`}
      onDone={() => refresh(id)}
      // Somebody else may have changed it meanwhile.
      onRefused={() => refresh(id)}
      onClose={onClose}
    >
      <p>{move.meaning}</p>
    </Act>
  )
}

/** Reads the data that a step changed again. */
export const refresh = (id: string) => reread(['institution', id], ['institutions'], ['participant', id])
