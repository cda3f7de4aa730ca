import { useState } from 'preact/hooks'
import { useCan, useSession } from '../../../api/session'
import { Button } from '../../../ui/button'
import { Kbd } from '../../../ui/kbd'
import { useKeys } from '../../../ui/keys'
import { ownPart } from '../../review/own-part'
import type { Decision } from '../decide'
import DecisionDialog from '../decision-dialog'
import { possibleDecisions } from './possible-decisions'
import { type Transaction, useReviewTerms } from './story-query'

const buttons: Record<Decision, { words: string; look?: 'main' | 'danger'; icon?: 'refresh'; key?: string }> = {
  approve: { words: 'Approve…', look: 'main', key: 'a' },
  reject: { words: 'Reject…', look: 'danger', key: 'x' },
  fail: { words: 'Fail…', look: 'danger' },
  retry: { words: 'Try now…', icon: 'refresh' },
  return: { words: 'Return…', look: 'danger' },
  release: { words: 'Credit after all…' },
  cover: { words: 'Cover…', look: 'main' },
}

/** The decisions that are possible in the transaction's present state. */
export function Acts({ of }: { of: Transaction }) {
  const [open, setOpen] = useState<Decision | null>(null)
  const mayAct = useCan('operate')
  const { user } = useSession()
  const { data: terms } = useReviewTerms(of)
  const possible = mayAct ? possibleDecisions(of) : []
  // Why this user may not approve.
  const own = terms ? ownPart(terms, user.id) : null
  const isBlocked = (decision: Decision) => decision === 'approve' && own !== null
  const choose = (decision: Decision) =>
    possible.includes(decision) && !isBlocked(decision) ? setOpen(decision) : undefined
  useKeys([
    { key: 'a', does: 'Approve', group: 'This page', run: () => choose('approve') },
    { key: 'x', does: 'Reject', group: 'This page', run: () => choose('reject') },
  ])
  return (
    <>
      {possible.map((decision) => {
        const { words, key, ...look } = buttons[decision]
        const isSecond = decision === 'approve' && terms?.approvals.length
        return (
          <Button key={decision} {...look} disabled={isBlocked(decision)} onClick={() => choose(decision)}>
            {isBlocked(decision) ? own : isSecond ? 'Approve as second…' : words}{' '}
            {key && !isBlocked(decision) ? <Kbd keys={key} /> : null}
          </Button>
        )
      })}
      {open ? <DecisionDialog decision={open} item={{ ...of, ...terms }} onClose={() => setOpen(null)} /> : null}
    </>
  )
}
