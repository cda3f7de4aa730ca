import type { Customer } from '@bursar/contracts/customer'
import { asc, type Db, gt, inChunks, param, prepared } from '@bursar/store'
import { toCustomer } from './customers'
import type { CustomerQuery } from './customers.model'
import { customers } from './customers.table'

/** The customers as they go out, oldest first, a chunk at a time. */
export const readCustomers = (db: Db, { limit, offset }: CustomerQuery): AsyncGenerator<Customer[]> =>
  inChunks(async (place) => (await customersAfter(db).execute({ ...place })).map(toCustomer), {
    size: 500,
    start: '',
    keyOf: ({ id }) => id,
    limit,
    offset,
  })

const customersAfter = prepared((db) =>
  db
    .select()
    .from(customers)
    .where(gt(customers.id, param('after')))
    .orderBy(asc(customers.id))
    .limit(param('limit'))
    .offset(param('offset')),
)
