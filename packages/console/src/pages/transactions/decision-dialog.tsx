import type { ComponentChildren } from 'preact'
import type { ApiError } from '../../api/api-error'
import { Act } from '../../ui/act'
import { Amount, Usd } from '../../ui/amount'
import { Id } from '../../ui/id'
import { AccountName } from '../../ui/names'
import type { NoteField } from '../../ui/note-input'
import { type Decision, decide, readAgain } from './decide'
import { kindWord, type TransactionType } from './kind'

/** What a decision is about. */
export interface Decidable {
  id: string
  type: TransactionType
  amount: string
  asset: { code: string }
  accountId: string
  toAccountId?: string
  sourceAddress?: string | null
  destinationAddress?: string | null
  /** The deposit that it sends back. */
  returns?: string
  usdValue?: number | null
  required?: number
  approvals?: readonly unknown[]
}

interface Words {
  /** `{}` is its kind: `Approve this {}?` */
  title: string
  confirm: string
  look?: 'danger'
  /** After `The deposit`. */
  done: string
  note: NoteField
  effect(item: Decidable): ComponentChildren
}

const kept = 'Kept with the decision, for colleagues and auditors.'
const told = 'Kept with the transaction. Whoever ordered it sees it, too.'
const note = { label: 'Note', hint: kept }

/** The note or reason of a decision; those of a rejection stand for several at once, too. */
export const noteOf = (decision: Decision): NoteField => words[decision].note

const words: Record<Decision, Words> = {
  approve: { title: 'Approve this {}?', confirm: 'Approve', done: 'is approved', note, effect: approved },
  reject: {
    title: 'Reject this {}?',
    confirm: 'Reject',
    look: 'danger',
    done: 'is rejected',
    note: {
      label: 'Reason',
      min: 3,
      hint: told,
      suggestions: [
        'The counterparty is sanctioned',
        'The source of the money is not explained',
        'Suspected fraud',
        'Ordered by mistake',
      ],
    },
    effect: ({ type }) =>
      type === 'DEPOSIT'
        ? 'It is not credited: the money stays in suspense until it is credited after all, or returned to its source.'
        : 'What is held is available to the account again. This is final.',
  },
  retry: {
    title: 'Try it now?',
    confirm: 'Try now',
    done: 'is tried now',
    note,
    effect: () =>
      'The next attempt begins at once instead of at its time. An attempt that is under way continues: nothing is paid twice.',
  },
  fail: {
    title: 'Fail this {}?',
    confirm: 'Fail',
    look: 'danger',
    done: 'has failed',
    note: {
      label: 'Reason',
      min: 3,
      hint: told,
      suggestions: ['The order was withdrawn', 'The account stays suspended', 'The destination cannot be paid'],
    },
    effect: ({ type, returns }) =>
      `${
        type === 'WITHDRAWAL'
          ? `The wallet service first records that it is never to be paid; if the wallet service already has the order, this is refused. ${returns ? 'The deposit returns to suspense.' : 'What is held is available again.'}`
          : type === 'DEPOSIT'
            ? 'It is not credited: the money stays in suspense until it is credited after all, or returned.'
            : 'What is held is available to the sender again.'
      } This is final.`,
  },
  return: {
    title: 'Return this deposit to its source?',
    confirm: 'Return',
    look: 'danger',
    done: 'is on its way back',
    note: {
      label: 'Reason',
      min: 3,
      hint: kept,
      suggestions: ['The customer asked for it', 'The account is closed', 'It was not meant for us'],
    },
    effect: ({ sourceAddress }) => (
      <>
        All of it goes to <Id value={sourceAddress} isWhole />, once that address has passed the screening. What an
        exchange has paid from an address of its own may be lost there: ask whoever sent it first.
      </>
    ),
  },
  release: {
    title: 'Credit this deposit after all?',
    confirm: 'Credit',
    done: 'is credited',
    note: { label: 'Reason', min: 3, hint: kept, suggestions: ['The source of the money has been explained'] },
    effect: ({ accountId }) => (
      <>
        <AccountName id={accountId} /> gets it at once. This is final.
      </>
    ),
  },
  cover: {
    title: 'Cover what is missing?',
    confirm: 'Cover',
    done: 'is covered',
    note: { label: 'Reason', min: 3, hint: kept, suggestions: ['The platform has paid in what is missing'] },
    effect: ({ accountId, type }) =>
      type === 'DEPOSIT' ? (
        <>
          Its chain has taken it back. Pay in what is missing first: nothing is booked by this, and withdrawals of{' '}
          <AccountName id={accountId} isPlain /> no longer wait for it. This is final, also if the chain confirms it
          again.
        </>
      ) : (
        <>
          A payment of it is in no books. Pay in what is missing first: nothing is booked by this, and the alarm is
          over. This is final.
        </>
      ),
  },
}

interface Props {
  decision: Decision
  item: Decidable
  onDone?(): void
  onRefused?(error: ApiError): void
  onClose(): void
}

/** The dialog of one decision about one transaction. */
export default function DecisionDialog({ decision, item, onDone, onRefused, onClose }: Props) {
  const { title, confirm, done, effect, ...rest } = words[decision]
  const word = kindWord(item.type).toLowerCase()
  const isFirst = decision === 'approve' && item.required === 2 && item.approvals?.length === 0
  return (
    <Act
      {...rest}
      title={title.replace('{}', word).replace('?', isFirst ? ' as the first of two?' : '?')}
      confirm={isFirst ? 'Approve as the first' : confirm}
      act={(input) => decide(decision, item, input)}
      done={(isProposed) => {
        if (!isProposed) return `The ${word} ${done}`
        return decision === 'approve'
          ? `The ${word} has the first of two approvals`
          : 'Another person must decide it, too'
      }}
      onDone={() => {
        readAgain()
        onDone?.()
      }}
      onRefused={(error) => {
        readAgain()
        onRefused?.(error)
      }}
      onClose={onClose}
    >
      <p>
        <span class="act-big">
          <Amount value={item.amount} asset={item.asset.code} />
        </span>{' '}
        <Usd value={item.usdValue} />
      </p>
      <p>{isFirst ? 'It stays frozen until a second person approves it.' : effect(item)}</p>
    </Act>
  )
}

function approved({ type, accountId, toAccountId, destinationAddress }: Decidable) {
  const to = type === 'DEPOSIT' ? accountId : toAccountId
  if (to) {
    return (
      <>
        It {type === 'DEPOSIT' ? 'is credited' : 'goes'} to <AccountName id={to} isPlain />.
      </>
    )
  }
  return (
    <>
      It is paid to <Id value={destinationAddress} isBare />, and cannot be called back.
    </>
  )
}
