import { Amount } from '../../ui/amount'
import { amountColumn } from '../../ui/columns'
import type { Column } from '../../ui/data-table'
import { Icon } from '../../ui/icon'
import type { IconName } from '../../ui/icon-paths'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { moneyText } from './money-text'
import { movesOf, typeWords } from './moves-of'
import type { Payment, PaymentType } from './payment'

/** Open payments can be selected. To screen readers they are `Transfer INV-7`. */
export const selectable = {
  isSelectable: (row: Payment): boolean => movesOf(row).length > 0,
  nameOf: ({ type, reference }: Payment): string => `${typeWords[type]} ${reference}`,
}

/** The columns that custodian banks see too. */
type Shown = Pick<Payment, 'id' | 'type' | 'status' | 'reference' | 'from' | 'to' | 'amount' | 'currency' | 'createdAt'>

export const paymentColumns: readonly Column<Shown>[] = [
  { head: 'Payment', narrow: 'lead', cell: (row) => <What of={row} /> },
  {
    head: 'From and to',
    isWide: true,
    cell: ({ from, to }) => (
      <span class="payment-parties">
        <Party of={from} />
        <span class="sub">
          to <Party of={to} />
        </span>
      </span>
    ),
  },
  amountColumn(({ amount, currency }) => <Amount value={moneyText(amount, currency)} asset={currency} />),
  { head: 'Status', narrow: 'sub-end', cell: ({ status }) => <PaymentStatusBadge status={status} /> },
  { head: 'Created', narrow: 'sub', needsRoom: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

const What = ({ of: { type, reference } }: { of: Shown }) => (
  <span class="kind">
    <Icon name={typeIcons[type]} />
    <span>
      {typeWords[type]}
      <span class="sub payment-reference">{reference}</span>
    </span>
  </span>
)

/** A pending payment waits for a decision. */
export const PaymentStatusBadge = ({ status }: { status: Payment['status'] }) => (
  <Status value={status} tone={status === 'PENDING' ? 'wait' : undefined} />
)

const typeIcons: Record<PaymentType, IconName> = {
  DEPOSIT: 'in',
  DO_DEPOSIT: 'in',
  INTERNAL_DEPOSIT: 'in',
  WITHDRAWAL: 'out',
  TRANSFER: 'swap',
}

/** A participant by its name at that time; `outside` if the money comes from or goes beyond the platform. */
function Party({ of }: { of: Payment['from'] }) {
  return <span class={of ? undefined : 'none'}>{of?.participantName ?? 'outside'}</span>
}
