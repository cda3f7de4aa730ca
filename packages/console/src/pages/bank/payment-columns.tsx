import { Amount } from '../../ui/amount'
import type { Column } from '../../ui/data-table'
import { Icon } from '../../ui/icon'
import type { IconName } from '../../ui/icon-paths'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { movesOf, typeWords } from './moves-of'
import type { Payment, PaymentType } from './payment'

/** The payments selected to be moved together. */
export interface Selecting {
  isSelected(row: Payment): boolean
  toggle(row: Payment): void
}

export const selectable = (row: Payment): boolean => movesOf(row).length > 0

/** The columns that custodian banks see too. */
type Shown = Pick<Payment, 'id' | 'type' | 'status' | 'reference' | 'from' | 'to' | 'amount' | 'currency' | 'createdAt'>

export const paymentColumns = (selecting: Selecting | null): Column<Payment>[] => [
  ...(selecting ? [selectColumn(selecting)] : []),
  {
    head: 'Payment',
    narrow: 'lead',
    cell: (row) => (
      <a class="row-open payment-open" href={`/console/bank/${row.id}`}>
        <What of={row} />
      </a>
    ),
  },
  ...common,
]

const What = ({ of: { type, reference } }: { of: Shown }) => (
  <span class="payment-what">
    <Icon name={typeIcons[type]} />
    <span>
      {typeWords[type]}
      <span class="sub payment-reference">{reference}</span>
    </span>
  </span>
)

const common: Column<Shown>[] = [
  {
    head: 'From and to',
    cell: ({ from, to }) => (
      <span class="payment-parties">
        <Party of={from} />
        <span class="sub">
          to <Party of={to} />
        </span>
      </span>
    ),
  },
  {
    head: 'Amount',
    align: 'end',
    narrow: 'end',
    cell: ({ amount, currency }) => <Amount value={amount} asset={currency} />,
  },
  { head: 'Status', narrow: 'sub-end', cell: ({ status }) => <PaymentStatusBadge status={status} /> },
  { head: 'Created', narrow: 'sub', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

export const custodianColumns: Column<Shown>[] = [
  { head: 'Payment', narrow: 'lead', cell: (row) => <What of={row} /> },
  ...common,
]

/** A pending payment waits for a decision. */
export const PaymentStatusBadge = ({ status }: { status: Payment['status'] }) => (
  <Status value={status} tone={status === 'PENDING' ? 'wait' : undefined} />
)

export const typeIcons: Record<PaymentType, IconName> = {
  DEPOSIT: 'in',
  DO_DEPOSIT: 'in',
  INTERNAL_DEPOSIT: 'in',
  WITHDRAWAL: 'out',
  TRANSFER: 'swap',
}

function selectColumn({ isSelected, toggle }: Selecting): Column<Payment> {
  return {
    head: 'Select',
    cell: (row) =>
      selectable(row) ? (
        <label class="payment-select">
          <input type="checkbox" checked={isSelected(row)} onChange={() => toggle(row)} />
          <span class="visually-hidden">
            Select {typeWords[row.type]} {row.reference}
          </span>
        </label>
      ) : null,
  }
}

/** A participant by its name at that time; `outside` if the money comes from or goes beyond the platform. */
export function Party({ of }: { of: Payment['from'] }) {
  return <span class={of ? undefined : 'none'}>{of?.participantName ?? 'outside'}</span>
}
