import type { Column } from '../../ui/data-table'
import { Id } from '../../ui/id'
import { InstitutionName } from '../../ui/names'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import type { CustomerRow } from './customers-query'

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

export const customerColumns: readonly Column<CustomerRow>[] = [name, ...rest]
/** The same for staff. */
export const staffCustomerColumns: readonly Column<CustomerRow>[] = [name, institution, ...rest]
