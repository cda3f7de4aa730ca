import { useState } from 'preact/hooks'
import { core } from '../../../api/services'
import { useCan } from '../../../api/session'
import { Act, type ActInput } from '../../../ui/act'
import { Amount } from '../../../ui/amount'
import { Button } from '../../../ui/button'
import { Id } from '../../../ui/id'
import { AccountName } from '../../../ui/names'
import { readAgain } from '../../review/decide'
import type { Transaction } from './story-query'

type WayOut = 'release' | 'return'

/** The ways out of suspense: a deposit that was rejected or has failed stays there until it has one. */
export function SuspenseActs({ of }: { of: Transaction }) {
  const [open, setOpen] = useState<WayOut | null>(null)
  const mayAct = useCan('operate')
  const isInSuspense = of.type === 'DEPOSIT' && (of.status === 'REJECTED' || of.status === 'FAILED')
  if (!mayAct || !isInSuspense || of.returnedBy) return null
  return (
    <>
      <Button look="danger" onClick={() => setOpen('return')}>
        Return…
      </Button>
      <Button onClick={() => setOpen('release')}>Credit after all…</Button>
      {open ? <Decide of={of} way={open} close={() => setOpen(null)} /> : null}
    </>
  )
}

const words = {
  release: {
    title: 'Credit this deposit after all?',
    confirm: 'Credit',
    look: 'main',
    done: 'The deposit is credited',
    suggestions: ['The source of the money has been explained'],
  },
  return: {
    title: 'Return this deposit to its source?',
    confirm: 'Return',
    look: 'danger',
    done: 'The deposit is on its way back',
    suggestions: ['The customer asked for it', 'The account is closed', 'It was not meant for us'],
  },
} as const

function Decide({ of, way, close }: { of: Transaction; way: WayOut; close(): void }) {
  const { suggestions, done, ...look } = words[way]
  return (
    <Act
      {...look}
      note={{ label: 'Reason', min: 3, hint: 'Kept with the decision, for colleagues and auditors.', suggestions }}
      act={(input) => decide(of, way, input)}
      done={(isProposed) => (isProposed ? 'Another person must decide it, too' : done)}
      onDone={readAgain}
      onRefused={readAgain}
      onClose={close}
    >
      <p>
        <span class="act-big">
          <Amount value={of.amount} asset={of.asset.code} />
        </span>
      </p>
      <p>{way === 'release' ? <Credited of={of} /> : <SentBack of={of} />}</p>
    </Act>
  )
}

const Credited = ({ of }: { of: Transaction }) => (
  <>
    <AccountName id={of.accountId} /> gets it at once. This is final.
  </>
)

const SentBack = ({ of }: { of: Transaction }) => (
  <>
    All of it goes to <Id value={of.sourceAddress} isWhole />, once that address has passed the screening. What an
    exchange has paid from an address of its own may be lost there: ask whoever sent it first.
  </>
)

/** True if it was the first of two approvals. */
async function decide({ id }: Transaction, way: WayOut, { note, idempotencyKey }: ActInput): Promise<boolean> {
  const { response } = await core.POST(`/transactions/{id}/${way}`, {
    params: { path: { id } },
    body: { reason: note },
    headers: { 'idempotency-key': idempotencyKey },
  })
  return response.status === 202
}
