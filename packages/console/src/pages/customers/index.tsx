import { customer } from '../../api/services'
import { useCan } from '../../api/session'
import type { Column } from '../../ui/data-table'
import { Id } from '../../ui/id'
import { InstitutionName } from '../../ui/names'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { AllRecords, OwnRecords } from '../accounts/records'
import type { CustomerRow } from './customers-query'

/** Customers: all for staff, only its own for users of an institution. */
export default function Customers() {
  return useCan('read') ? (
    <AllRecords
      thing="customer"
      columns={staffCustomerColumns}
      placeholder="External id or id"
      hint="External ids match by the beginning of any of their words."
      begin="Participants add theirs; the API creates them with POST /customers."
      read={(query, signal) => customer.GET('/customers', { params: { query }, signal })}
    />
  ) : (
    <OwnRecords
      thing="customer"
      columns={customerColumns}
      placeholder="External id or id"
      begin="Your programs create them: POST /customers of the API."
      rowsOf={(customers) => customers}
      textsOf={({ externalId }) => [externalId]}
    />
  )
}

const name: Column<CustomerRow> = { head: 'Customer', narrow: 'lead', cell: ({ externalId }) => <b>{externalId}</b> }
const rest: readonly Column<CustomerRow>[] = [
  { head: 'Status', narrow: 'end', cell: ({ status }) => <Status value={status} /> },
  { head: 'Id', narrow: 'hide', needsRoom: true, cell: ({ id }) => <Id value={id} isBare /> },
  { head: 'Created', narrow: 'sub-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

const institution: Column<CustomerRow> = {
  head: 'Institution',
  narrow: 'sub',
  isWide: true,
  cell: ({ id }) => <InstitutionName customerId={id} />,
}

const customerColumns: readonly Column<CustomerRow>[] = [name, ...rest]
/** The same for staff. */
const staffCustomerColumns: readonly Column<CustomerRow>[] = [name, institution, ...rest]
