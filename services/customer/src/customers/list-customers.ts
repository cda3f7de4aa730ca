import type { Customer, RecordStatus } from '@bursar/contracts/customer'
import { isUuid } from '@bursar/contracts/schema'
import { fieldColumns } from '@bursar/http'
import { and, defineList, eq, inArray, param, startingWith } from '@bursar/store'
import { customerTexts, toCustomer } from './customers'
import { customers } from './customers.table'

/** The filters of a list. A UUID in `q` is matched against ids, any other text against external ids. */
interface CustomersAsked {
  q?: string
  status?: RecordStatus
}

/** The customers that match all filters, by age. */
export const customerList = defineList({
  id: customers.id,
  rows: (db) => db.select().from(customers),
  to: toCustomer,
  read: ({ q = '', status }: CustomersAsked) => {
    const sought = q.trim()
    return {
      form: { search: sought === '' ? 'none' : isUuid(sought) ? 'id' : 'text', byStatus: status !== undefined },
      values: { ...startingWith(q), searchId: sought.toLowerCase(), status },
    }
  },
  where: ({ search, byStatus }, db) =>
    and(
      search === 'id' ? eq(customers.id, param('searchId')) : undefined,
      search === 'text' ? inArray(customers.id, customerTexts.found(db)) : undefined,
      byStatus ? eq(customers.status, param('status')) : undefined,
    ),
})

/** The columns of an export. */
export const customerColumns = fieldColumns<Customer>('id', 'externalId', 'status', 'createdAt')
