import type { Column } from '../../ui/data-table'
import { Id } from '../../ui/id'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import type { CustomerRow } from './customers-query'

export const customerColumns: readonly Column<CustomerRow>[] = [
  { head: 'Customer', narrow: 'lead', cell: ({ externalId }) => <b>{externalId}</b> },
  { head: 'Status', narrow: 'end', cell: ({ status }) => <Status value={status} /> },
  { head: 'Id', narrow: 'sub', cell: ({ id }) => <Id value={id} isBare /> },
  { head: 'Created', narrow: 'sub-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
