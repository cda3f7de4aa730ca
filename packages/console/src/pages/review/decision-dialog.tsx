import type { ApiError } from '../../api/api-error'
import { Act } from '../../ui/act'
import { Amount, Usd } from '../../ui/amount'
import { Id } from '../../ui/id'
import { AccountName } from '../../ui/names'
import { kindWord } from '../transactions/kind'
import { approve, readAgain, reject } from './decide'
import type { ReviewItem } from './review-query'

export type Decision = 'approve' | 'reject'

type Item = Pick<ReviewItem, 'id' | 'type' | 'amount' | 'asset' | 'accountId' | 'toAccountId' | 'destinationAddress'> &
  Partial<Pick<ReviewItem, 'usdValue' | 'required' | 'approvals'>>

interface Props {
  decision: Decision
  item: Item
  onDone(words: string): void
  onRefused(error: ApiError): void
  onClose(): void
}

/** The usual reasons of a rejection. */
export const rejectionReasons = [
  'The counterparty is sanctioned',
  'The source of the money is not explained',
  'Suspected fraud',
  'Ordered by mistake',
]

/** Approve or reject one frozen transaction. */
export function DecisionDialog({ decision, ...props }: Props) {
  return decision === 'approve' ? <Approval {...props} /> : <Rejection {...props} />
}

function Approval({ item, onDone, onRefused, onClose }: Omit<Props, 'decision'>) {
  const word = kindWord(item.type).toLowerCase()
  const isFirst = item.required === 2 && item.approvals?.length === 0
  return (
    <Act
      title={isFirst ? `Approve this ${word} as the first of two?` : `Approve this ${word}?`}
      confirm={isFirst ? 'Approve as the first' : 'Approve'}
      note={{ label: 'Note', hint: 'Kept with the decision, for colleagues and auditors.' }}
      act={(input) => approve(item, input)}
      done={(outcome) => words(item, outcome)}
      onDone={(outcome) => {
        readAgain()
        onDone(words(item, outcome))
      }}
      onRefused={onRefused}
      onClose={onClose}
    >
      <What item={item} />
      <p>{isFirst ? 'It stays frozen until a second person approves it.' : <Effect item={item} />}</p>
    </Act>
  )
}

const words = ({ type }: Item, outcome: 'approved' | 'proposed'): string =>
  outcome === 'proposed'
    ? `The ${kindWord(type).toLowerCase()} has the first of two approvals`
    : `The ${kindWord(type).toLowerCase()} is approved`

function Rejection({ item, onDone, onRefused, onClose }: Omit<Props, 'decision'>) {
  const word = kindWord(item.type).toLowerCase()
  const done = `The ${word} is rejected`
  return (
    <Act
      title={`Reject this ${word}?`}
      confirm="Reject"
      look="danger"
      note={{
        label: 'Reason',
        min: 3,
        hint: 'Kept with the transaction. Whoever ordered it sees it, too.',
        suggestions: rejectionReasons,
      }}
      act={(input) => reject(item, input)}
      done={done}
      onDone={() => {
        readAgain()
        onDone(done)
      }}
      onRefused={onRefused}
      onClose={onClose}
    >
      <What item={item} />
      <p>
        {item.type === 'DEPOSIT'
          ? 'It is not credited: the money stays in suspense until it is credited after all, or returned to its source.'
          : 'What is held is available to the account again. This is final.'}
      </p>
    </Act>
  )
}

function What({ item }: { item: Item }) {
  return (
    <p>
      <span class="act-big">
        <Amount value={item.amount} asset={item.asset.code} />
      </span>{' '}
      <Usd value={item.usdValue} />
    </p>
  )
}

function Effect({ item }: { item: Item }) {
  if (item.type === 'DEPOSIT') {
    return (
      <>
        It is credited to <AccountName id={item.accountId} isPlain />.
      </>
    )
  }
  if (item.type === 'TRANSFER' && item.toAccountId) {
    return (
      <>
        It goes to <AccountName id={item.toAccountId} isPlain />.
      </>
    )
  }
  return (
    <>
      It is paid to <Id value={item.destinationAddress} isBare />, and cannot be called back.
    </>
  )
}
