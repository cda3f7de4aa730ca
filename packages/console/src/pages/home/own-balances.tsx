import { wholeList } from '../../api/list'
import { useQuery } from '../../api/query'
import { Amount, Usd } from '../../ui/amount'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { holdingsOf } from '../accounts/accounts-query'
import { worthOf } from '../accounts/worth-of'
import { type ParticipantRecord, useParticipant } from '../participants/institution-query'
import { type Holding, holdingsByAsset } from './holdings-by-asset'

/** The most accounts whose balances are summed: fifty share a request. */
const mostAccounts = 500

/** The accounts of an institution's customers, as many as are summed. */
export const accountsOf = ({ customers }: ParticipantRecord): string[] =>
  customers.flatMap((customer) => customer.accounts.map((account) => account.id)).slice(0, mostAccounts)

/** The exact total of an institution's customers in each asset. */
export function OwnBalances({ id }: { id: string }) {
  const { data } = useParticipant(id)
  if (!data || data.customers.length === 0) return null
  return <Balances of={data} />
}

function Balances({ of }: { of: ParticipantRecord }) {
  const { id, customers } = of
  const all = customers.reduce((sum, { accounts }) => sum + accounts.length, 0)
  const asked = accountsOf(of)
  const balances = useQuery({
    queryKey: ['balances', 'participant', id, asked],
    queryFn: async () => (await Promise.all(asked.map(holdingsOf))).flatMap((held) => held ?? []),
    refetchInterval: 60_000,
  })
  const { data } = balances
  return (
    <DataTable
      title="Held for your customers"
      aside={
        <>
          {all > mostAccounts ? `the first ${mostAccounts} of ${all} accounts` : null}
          {data?.length ? <Usd value={worthOf(data)} /> : null}
        </>
      }
      label="What your customers hold, by asset"
      columns={columns}
      list={wholeList(data && holdingsByAsset(data), balances)}
      idOf={({ assetId }) => assetId}
      empty={<p class="card-line">They hold nothing yet.</p>}
    />
  )
}

const columns: readonly Column<Holding>[] = [
  { head: 'Asset', narrow: 'lead', cell: ({ assetCode }) => <b>{assetCode}</b> },
  { head: 'Available', align: 'end', cell: ({ available }) => <Amount value={available} /> },
  { head: 'Frozen', align: 'end', cell: ({ frozen }) => <Amount value={frozen} /> },
  amountColumn(({ total }) => <Amount value={total} />, 'Total'),
  { head: 'USD', align: 'end', narrow: 'sub-end', cell: ({ usd }) => <Usd value={usd} /> },
]
