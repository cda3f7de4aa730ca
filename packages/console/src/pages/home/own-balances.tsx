import { wholeList } from '../../api/list'
import { useQuery } from '../../api/query'
import { core, dataOf } from '../../api/services'
import { Amount } from '../../ui/amount'
import { Card } from '../../ui/card'
import { type Column, DataTable } from '../../ui/data-table'
import { type ParticipantRecord, useParticipant } from '../participants/institution-query'
import { type Holding, holdingsByAsset } from './holdings-by-asset'

/** The most customers whose balances are summed: each needs its own request. */
const mostCustomers = 50

/** The exact total of an institution's customers in each asset. */
export function OwnBalances({ id }: { id: string }) {
  const { data } = useParticipant(id)
  if (!data || data.customers.length === 0) return null
  return <Balances of={data} />
}

function Balances({ of: { id, customers } }: { of: ParticipantRecord }) {
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
        list={wholeList(holdings)}
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
