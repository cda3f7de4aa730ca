import type { Customer } from '@bursar/contracts/customer'
import type { CsvColumns } from '@bursar/http'

/** The columns of an export. */
export const customerColumns: CsvColumns<Customer> = {
  id: ({ id }) => id,
  externalId: ({ externalId }) => externalId,
  status: ({ status }) => status,
  createdAt: ({ createdAt }) => createdAt,
}
