import { useState } from 'preact/hooks'
import { core } from '../../../api/services'
import { useCan, useSession } from '../../../api/session'
import { Act } from '../../../ui/act'
import { Button } from '../../../ui/button'
import { Kbd } from '../../../ui/kbd'
import { useKeys } from '../../../ui/keys'
import { readAgain } from '../../review/decide'
import { DecisionDialog } from '../../review/decision-dialog'
import { ownPart } from '../../review/own-part'
import { kindWord } from '../kind'
import { RetryDialog } from '../retry-dialog'
import { type Transaction, useReviewTerms } from './story-query'

type Open = 'approve' | 'reject' | 'retry' | 'fail'

/** The possible acts in the transaction's present state. */
export function WorkActs({ of }: { of: Transaction }) {
  const [open, setOpen] = useState<Open | null>(null)
  const mayAct = useCan('operate')
  const { user } = useSession()
  const { data: terms } = useReviewTerms(of)
  const close = () => setOpen(null)
  const isFrozen = mayAct && of.status === 'FROZEN'
  // A return must not be sent to a party that fails the screening.
  const mayApprove = isFrozen && !of.returns
  const own = terms ? ownPart(terms, user.id) : null
  useKeys([
    {
      key: 'a',
      does: 'Approve',
      group: 'This page',
      run: () => (mayApprove && own === null ? setOpen('approve') : undefined),
    },
    { key: 'x', does: 'Reject', group: 'This page', run: () => (isFrozen ? setOpen('reject') : undefined) },
  ])
  return (
    <>
      {isFrozen ? (
        <>
          <Button look="danger" onClick={() => setOpen('reject')}>
            Reject… <Kbd keys="x" />
          </Button>
          {mayApprove ? (
            <Button look="main" disabled={own !== null} onClick={() => setOpen('approve')}>
              {own ?? (terms?.approvals.length ? 'Approve as second…' : 'Approve…')}{' '}
              {own === null ? <Kbd keys="a" /> : null}
            </Button>
          ) : null}
        </>
      ) : null}
      {mayAct && of.status === 'APPROVED' ? (
        <>
          <Button look="danger" onClick={() => setOpen('fail')}>
            Fail…
          </Button>
          <Button icon="refresh" onClick={() => setOpen('retry')}>
            Try now…
          </Button>
        </>
      ) : null}
      {open === 'approve' || open === 'reject' ? (
        <DecisionDialog
          decision={open}
          item={{ ...of, ...terms }}
          onDone={readAgain}
          onRefused={readAgain}
          onClose={close}
        />
      ) : null}
      {open === 'retry' ? <RetryDialog id={of.id} onClose={close} /> : null}
      {open === 'fail' ? <Fail of={of} close={close} /> : null}
    </>
  )
}

interface ActProps {
  of: Transaction
  close(): void
}

function Fail({ of, close }: ActProps) {
  const word = kindWord(of.type).toLowerCase()
  return (
    <Act
      title={`Fail this ${word}?`}
      confirm="Fail"
      look="danger"
      note={{
        label: 'Reason',
        min: 3,
        hint: 'Kept with the transaction. Whoever ordered it sees it, too.',
        suggestions: ['The order was withdrawn', 'The account stays suspended', 'The destination cannot be paid'],
      }}
      act={({ note, idempotencyKey }) =>
        core.POST('/transactions/{id}/fail', {
          params: { path: { id: of.id } },
          body: { reason: note },
          headers: { 'idempotency-key': idempotencyKey },
        })
      }
      done={`The ${word} has failed`}
      onDone={readAgain}
      onRefused={readAgain}
      onClose={close}
    >
      <p>
        {of.type === 'WITHDRAWAL'
          ? `The wallet service first records that it is never to be paid; if the wallet service already has the order, this is refused. ${of.returns ? 'The deposit returns to suspense.' : 'What is held is available again.'}`
          : of.type === 'DEPOSIT'
            ? 'It is not credited: the money stays in suspense until it is credited after all, or returned.'
            : 'What is held is available to the sender again.'}{' '}
        This is final.
      </p>
    </Act>
  )
}
