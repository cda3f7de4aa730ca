import { useList } from '../../api/list'
import { core, pageOf } from '../../api/services'
import { Amount } from '../../ui/amount'
import { Card } from '../../ui/card'
import { type Column, DataTable } from '../../ui/data-table'
import { Id } from '../../ui/id'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import type { Movement } from './accounts-query'

/** Movements at a portfolio's own addresses other than its transactions, and whether they are booked. */
export function Movements({ id }: { id: string }) {
  const list = useList<Movement>({
    key: ['balances', 'movements', id],
    page: (after, limit, signal) =>
      pageOf(
        core.GET('/balances/account/{accountId}/movements', {
          params: { path: { accountId: id }, query: { order: 'desc', limit, after } },
          signal,
        }),
      ),
    everyMs: 30_000,
  })
  return (
    <Card title="Movements on chain" aside="other than its transactions" isFlush>
      <DataTable
        label="Movements on chain"
        columns={columns}
        list={list}
        empty={<Empty icon="chain" title="No movements other than its transactions" />}
      />
    </Card>
  )
}

const kinds = { in: 'Came in', out: 'Went out', fee: 'Network fee' } as const

const columns: readonly Column<Movement>[] = [
  { head: 'Confirmed', narrow: 'sub', cell: ({ confirmedAt }) => <Time at={confirmedAt} /> },
  { head: 'What', narrow: 'lead', cell: ({ kind }) => kinds[kind] },
  {
    head: 'Amount',
    align: 'end',
    narrow: 'end',
    cell: ({ amount, assetCode, contractAddress }) => (
      <Amount value={amount} asset={assetCode ?? contractAddress ?? undefined} />
    ),
  },
  { head: 'Transaction', cell: ({ txHash }) => <Id value={txHash} /> },
  {
    head: 'In the books',
    narrow: 'sub-end',
    cell: ({ bookedAt, waitsFor }) =>
      bookedAt ? (
        <Status value="booked" tone="good" />
      ) : (
        <>
          <Status value="waits" tone="wait" /> <span class="sub">{waitsFor}</span>
        </>
      ),
  },
]
