import { useList } from '../../api/list'
import { useRead } from '../../api/read'
import { blockchain, pageOf, wallet } from '../../api/services'
import { Amount } from '../../ui/amount'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Id } from '../../ui/id'
import { Empty } from '../../ui/states'
import { Badge, Status } from '../../ui/status'
import { Age, In } from '../../ui/time'
import type { Send, WithdrawalOrder } from './chain-queries'

interface Row extends WithdrawalOrder {
  /** Its send at the blockchain service; undefined while there is none. */
  send: Send | undefined
}

/** Open orders, oldest first: what each waits for, and when it is retried. */
export function Sends() {
  const list = useList<WithdrawalOrder>({
    key: ['sends'],
    page: (after, limit, signal) =>
      pageOf(
        wallet.GET('/wallets/withdrawals', { params: { query: { after, limit, order: 'asc', count: true } }, signal }),
      ),
    everyMs: 10_000,
  })
  const sends = useRead(
    ['chain-sends'],
    (signal) => blockchain.GET('/sends', { params: { query: { limit: 100 } }, signal }),
    { refetchInterval: 10_000 },
  )
  const byId = new Map(sends.data?.map((send) => [send.id, send]))
  return (
    <DataTable<Row>
      label="Sends under way"
      columns={columns}
      list={{ ...list, rows: list.rows?.map((row) => ({ ...row, send: byId.get(row.id) })) }}
      empty={
        <Empty icon="check" title="Nothing is under way">
          Approved withdrawals appear here until they are final on the chain.
        </Empty>
      }
    />
  )
}

const kindWords: Record<WithdrawalOrder['kind'], string> = {
  withdrawal: 'Withdrawal',
  execution: 'Portfolio execution',
}

const columns: Column<Row>[] = [
  {
    head: 'Order',
    narrow: 'lead',
    cell: ({ id, kind }) => (
      <span>
        {kind === 'withdrawal' ? (
          <a class="row-open" href={`/console/transactions/${id}`}>
            {kindWords[kind]}
          </a>
        ) : (
          kindWords[kind]
        )}
        <span class="sub">
          <Id value={id} />
        </span>
      </span>
    ),
  },
  amountColumn(({ amount, assetCode, network }) => (
    <span>
      <Amount value={amount} asset={assetCode} />
      <span class="sub">{network}</span>
    </span>
  )),
  { head: 'To', cell: ({ destinationAddress }) => <Id value={destinationAddress} /> },
  {
    head: 'Status',
    narrow: 'sub-end',
    cell: ({ status }) => <Status value={status} tone={status === 'accepted' ? 'wait' : undefined} />,
  },
  { head: 'Waits for', cell: (row) => <WaitsFor of={row} /> },
  {
    head: 'Tries',
    align: 'end',
    cell: ({ attempts, nextAttemptAt, send }) => (
      <span>
        {attempts}
        {send ? <span class="sub">{send.attempts} signed</span> : null}
        <span class="sub">{nextAttemptAt ? <In what="next" at={nextAttemptAt} /> : null}</span>
      </span>
    ),
  },
  {
    head: 'Age',
    align: 'end',
    narrow: 'sub',
    cell: ({ createdAt }) => <Age since={createdAt} />,
  },
]

function WaitsFor({ of: { waitsFor, status, txHash, send } }: { of: Row }) {
  const problem = send?.lastError ?? waitsFor
  if (problem) return <span class="bad">{problem}</span>
  if (status === 'broadcast') {
    return (
      <span>
        its block <Id value={txHash} />
      </span>
    )
  }
  return send ? <Badge>its place in the queue</Badge> : <Badge>its first attempt</Badge>
}
