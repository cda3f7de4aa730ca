import { Amount } from '../../ui/amount'
import { type Column, DataTable } from '../../ui/data-table'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { Age } from '../../ui/time'
import { type Stuck, useStuck } from './use-transactions'
import { ownerColumn, whatColumn } from './what-column'

/** Approved transactions that were not carried out, with the reason and the next attempt; oldest first. */
export function StuckTransactions() {
  return (
    <DataTable
      label="Stuck transactions, oldest first"
      columns={columns}
      list={useStuck()}
      idOf={({ id }) => id}
      hrefOf={({ id }) => `/console/transactions/${id}`}
      empty={
        <Empty icon="check" title="Nothing is stuck">
          <p>
            An approved transaction appears here when an attempt fails, or when it is not completed after 15 minutes.
          </p>
        </Empty>
      }
    />
  )
}

const columns: Column<Stuck>[] = [
  { head: 'Waits', narrow: 'sub-end', cell: ({ queuedAt }) => <Age since={queuedAt} /> },
  whatColumn,
  { ...ownerColumn, isWide: false },
  {
    head: 'Amount',
    align: 'end',
    narrow: 'end',
    cell: ({ amount, assetCode }) => <Amount value={amount} asset={assetCode} />,
  },
  { head: 'Network', narrow: 'hide', needsRoom: 'much', cell: ({ network }) => network },
  { head: 'Status', narrow: 'sub', cell: ({ status }) => <Status value={status} /> },
  {
    head: 'Why',
    isWide: true,
    cell: ({ reason }) => reason ?? <span class="none">waits for its network</span>,
  },
  { head: 'Attempts', align: 'end', cell: ({ attempts }) => attempts },
  { head: 'Next attempt', cell: ({ nextAttemptAt }) => <NextAttempt at={nextAttemptAt} /> },
]

function NextAttempt({ at }: { at: string | null }) {
  if (at === null) return <b>Settle it by hand</b>
  return Date.parse(at) <= Date.now() ? (
    <>now</>
  ) : (
    <span>
      in <Age until={at} />
    </span>
  )
}
