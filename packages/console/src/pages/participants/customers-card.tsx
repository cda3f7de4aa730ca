import { wholeList } from '../../api/list'
import { counted } from '../../format/words'
import { type Column, DataTable } from '../../ui/data-table'
import { AccountName } from '../../ui/names'
import { Status } from '../../ui/status'
import { customersIn, type ParticipantRecord, useParticipant } from './institution-query'

/** The customers of an institution, and its own two accounts. */
export function CustomersCard({ id, isApproved }: { id: string; isApproved: boolean }) {
  const participant = useParticipant(id, isApproved)
  const data = isApproved ? participant.data : null
  return (
    <DataTable
      title="Customers"
      aside={data ? <OwnAccounts of={data} /> : null}
      label="Customers of this participant"
      columns={columns}
      list={wholeList(customersIn(data), participant)}
      hrefOf={({ id }) => `/console/customers/${id}`}
      empty={
        <p class="card-line">
          {isApproved
            ? 'It has none yet. The institution adds its customers itself, from its own systems.'
            : 'It is not a participant yet. It can add customers from its first approval on.'}
        </p>
      }
    />
  )
}

type CustomerOf = ParticipantRecord['customers'][number]

function OwnAccounts({ of: { omnibusAccountId, feePayerAccountId } }: { of: ParticipantRecord }) {
  if (!omnibusAccountId && !feePayerAccountId) return null
  return (
    <span class="row">
      {omnibusAccountId ? <AccountName id={omnibusAccountId} /> : null}
      {feePayerAccountId ? <AccountName id={feePayerAccountId} /> : null}
    </span>
  )
}

const columns: readonly Column<CustomerOf>[] = [
  { head: 'Customer', narrow: 'lead', cell: ({ externalId }) => <b>{externalId}</b> },
  { head: 'Status', narrow: 'end', cell: ({ status }) => <Status value={status} /> },
  {
    head: 'Accounts',
    narrow: 'sub',
    cell: ({ accounts }) => (
      <span>
        {counted(accounts.length, 'account')}
        {accounts.length > 0 ? <span class="none"> {accounts.map(({ name }) => name).join(', ')}</span> : null}
      </span>
    ),
  },
]
