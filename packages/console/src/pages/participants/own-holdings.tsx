import { wholeList } from '../../api/list'
import { useQuery } from '../../api/query'
import { core, dataOf } from '../../api/services'
import { formatCount } from '../../format/amount'
import { Amount } from '../../ui/amount'
import { Card, Figure } from '../../ui/card'
import { type Column, DataTable } from '../../ui/data-table'
import { type Holding, holdingsByAsset } from './holdings-by-asset'
import { type ParticipantRecord, useParticipant } from './institution-query'

/** The most customers whose balances are summed: each needs its own request. */
const mostCustomers = 50

/** For an institution's own users: how many customers and accounts it has. */
export function OwnFigures({ id }: { id: string }) {
  const { data } = useParticipant(id)
  const accounts = data?.customers.flatMap(({ accounts }) => accounts)
  const suspended = (of: readonly { status: string }[] | undefined) =>
    of?.filter(({ status }) => status !== 'active').length ?? 0
  const inactiveWords = (count: number) => (count === 0 ? 'all active' : `${formatCount(count)} not active`)
  return (
    <div class="figures">
      <Figure
        label="Customers"
        href="/console/customers"
        value={data ? formatCount(data.customers.length) : '–'}
        note={data && data.customers.length > 0 ? inactiveWords(suspended(data.customers)) : null}
      />
      <Figure
        label="Accounts"
        href="/console/accounts"
        value={accounts ? formatCount(accounts.length) : '–'}
        note={accounts && accounts.length > 0 ? inactiveWords(suspended(accounts)) : null}
      />
    </div>
  )
}

/** The exact total of an institution's customers in each asset. */
export function OwnHoldings({ id }: { id: string }) {
  const { data } = useParticipant(id)
  if (!data || data.customers.length === 0) return null
  return <Holdings of={data} />
}

function Holdings({ of: { id, customers } }: { of: ParticipantRecord }) {
  const asked = customers.slice(0, mostCustomers)
  const holdings = useQuery({
    queryKey: ['balances', 'participant', id, asked.map((each) => each.id)],
    queryFn: async ({ signal }) => {
      const balances = await Promise.all(
        asked.map((each) => {
          const path = { customerId: each.id }
          return dataOf(core.GET('/balances/customer/{customerId}', { params: { path }, signal }))
        }),
      )
      return holdingsByAsset(balances.flat())
    },
    refetchInterval: 60_000,
  })
  return (
    <Card
      title="Held for your customers"
      aside={customers.length > mostCustomers ? `the first ${mostCustomers} of ${customers.length} customers` : null}
      isFlush
    >
      <DataTable
        label="What your customers hold, by asset"
        columns={columns}
        list={{ ...wholeList(holdings), total: null }}
        idOf={({ assetId }) => assetId}
        empty={<p class="card-line">They hold nothing yet.</p>}
      />
    </Card>
  )
}

const columns: readonly Column<Holding>[] = [
  { head: 'Asset', narrow: 'lead', cell: ({ assetCode }) => <b>{assetCode}</b> },
  { head: 'Available', align: 'end', cell: ({ available }) => <Amount value={available} /> },
  { head: 'Frozen', align: 'end', cell: ({ frozen }) => <Amount value={frozen} /> },
  { head: 'Total', align: 'end', narrow: 'end', cell: ({ total }) => <Amount value={total} /> },
]
