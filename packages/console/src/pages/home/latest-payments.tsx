import { wholeList } from '../../api/list'
import { useAssets } from '../../api/names'
import { useQuery } from '../../api/query'
import { dataOf, notification } from '../../api/services'
import { toWords } from '../../format/words'
import { Amount } from '../../ui/amount'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Icon } from '../../ui/icon'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { moneyText } from '../bank/money-text'
import { type PaymentRow, paymentRows } from './payment-rows'

/** One page of the service, which gives events oldest first. */
const mostEvents = 100
const mostShown = 15

/** The payments that the institution's newest events tell of: its customers' transactions and its bank payments. */
export const useLatestPayments = (participantId: string) =>
  useQuery({
    queryKey: ['payments', 'latest', participantId],
    queryFn: async ({ signal }) => {
      const events = (offset: number, limit: number) =>
        dataOf(notification.GET('/events', { params: { query: { offset, limit } }, signal }))
      const { total } = (await events(0, 0)).pageInfo
      return paymentRows((await events(Math.max(0, total - mostEvents), mostEvents)).data, participantId)
    },
    refetchInterval: 15_000,
  })

export function LatestPayments({ participantId }: { participantId: string }) {
  const payments = useLatestPayments(participantId)
  const assets = useAssets()
  const codes = new Set([...(assets.data?.values() ?? [])].map(({ code }) => code))
  return (
    <DataTable
      title="Latest payments"
      aside={<a href="/console/transactions">By account</a>}
      columns={columns}
      list={wholeList(payments.data?.slice(0, mostShown), payments)}
      hrefOf={({ id, currency }) => `/console/${codes.has(currency) ? 'transactions' : 'bank'}/${id}`}
      empty={
        <Empty icon="transactions" title="No payment yet">
          <p>Deposits, withdrawals and transfers of your customers and your institution appear here.</p>
        </Empty>
      }
    />
  )
}

const signs = { in: 'in', out: 'out', within: 'swap' } as const

const columns: readonly Column<PaymentRow>[] = [
  {
    head: 'Payment',
    narrow: 'lead',
    cell: ({ type, direction }) => (
      <span class="kind">
        <Icon name={signs[direction]} size={14} /> {toWords(type)}
      </span>
    ),
  },
  amountColumn(({ amount, currency }) => <Amount value={moneyText(amount, currency)} asset={currency} />),
  { head: 'Status', narrow: 'sub-end', cell: ({ status }) => <Status value={status} /> },
  { head: 'Changed', narrow: 'sub', cell: ({ at }) => <Time at={at} /> },
]
