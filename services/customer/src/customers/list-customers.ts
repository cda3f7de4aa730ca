import type { Customer, RecordStatus } from '@bursar/contracts/customer'
import { isUuid } from '@bursar/contracts/schema'
import {
  and,
  countUpTo,
  type Db,
  eq,
  firstAfter,
  inArray,
  inChunks,
  keyset,
  type Order,
  param,
  startingWith,
  variants,
} from '@bursar/store'
import { customerTexts } from '../search/customer-texts'
import { toCustomer } from './customers'
import { customers } from './customers.table'

/** Which customers a list has. */
export interface CustomersAsked {
  q?: string
  status?: RecordStatus
}

/** Which part of the list, and in which order: oldest first unless told otherwise. */
export interface CustomersPlace {
  order?: Order
  after?: string
  limit?: number
  offset?: number
}

/** The customers that pass all the filters, as they go out, a chunk at a time. */
export function readCustomers(
  db: Db,
  asked: CustomersAsked,
  { order = 'asc', after, limit, offset }: CustomersPlace,
): AsyncGenerator<Customer[]> {
  const { form, values } = parts(asked)
  const read = customersAfter({ ...form, order })(db)
  return inChunks(async (place) => (await read.execute({ ...values, ...place })).map(toCustomer), {
    size: 500,
    start: firstAfter(order, after),
    keyOf: ({ id }) => id,
    limit,
    offset,
  })
}

/** How many customers pass all the filters. */
export async function countCustomers(db: Db, asked: CustomersAsked): Promise<number> {
  const { form, values } = parts(asked)
  const [found] = await countOfCustomers(form)(db).execute(values)
  return found?.total ?? 0
}

type ListForm = { search: 'none' | 'id' | 'text'; byStatus: boolean }

/** The form of a statement for these filters, and its values. A UUID is looked for as an id, anything else as a text. */
function parts({ q = '', status }: CustomersAsked) {
  const sought = q.trim()
  const search = sought === '' ? 'none' : isUuid(sought) ? 'id' : 'text'
  const form: ListForm = { search, byStatus: status !== undefined }
  return { form, values: { ...startingWith(q), searchId: sought.toLowerCase(), status } }
}

function passing(db: Db, { search, byStatus }: ListForm) {
  const found = {
    none: undefined,
    id: eq(customers.id, param('searchId')),
    text: inArray(customers.id, customerTexts.found(db)),
  }
  return and(found[search], byStatus ? eq(customers.status, param('status')) : undefined)
}

const customersAfter = variants(({ order, ...form }: ListForm & { order: Order }) => {
  const { beyond, by } = keyset(customers.id, order)
  return (db) =>
    db
      .select()
      .from(customers)
      .where(and(beyond, passing(db, form)))
      .orderBy(by)
      .limit(param('limit'))
      .offset(param('offset'))
})
const countOfCustomers = variants((form: ListForm) => (db) => countUpTo(db, customers, passing(db, form)))
