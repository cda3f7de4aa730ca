import { and, type Db, eq, firstAfter, param, readWindows, sql, variants } from '@bursar/store'
import { type Filters, inOrder, matching, type Order, sorts } from './bank-payment-order'
import { bankPayments, payments } from './payments.table'

type Form = Filters & Order & { isSearch: boolean }

/**
 * A page of ids along the index of the order, in parts: of a million payments few may match the filters, and these may
 * be last.
 */
export function pageInParts(
  db: Db,
  form: Form,
  values: Record<string, unknown>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ id: string }[]> {
  const { sortBy, sortDirection } = form
  const order = sortDirection === 'ASC' ? 'asc' : 'desc'
  const placeOf = (name: 'after' | 'until', text: string) => {
    const [key, id] = readPlace(text, sortBy)
    return { [`${name}Key`]: key, [`${name}Id`]: id }
  }
  const inParts = {
    order,
    async end({ after, skip }: { after: string; skip: number }) {
      const place = { ...values, ...placeOf('after', after), skip }
      const [last] = await endOfPart({ sortBy, sortDirection })(db).execute(place)
      return last && JSON.stringify([last.key, last.id])
    },
    page: ({ after, until, limit }: { after: string; until: string; limit: number }) =>
      idsInPart(form)(db).execute({ ...values, ...placeOf('after', after), ...placeOf('until', until), limit }),
  } as const
  return readWindows(inParts, { after: firstAfter(order, undefined), limit, offset })
}

/** A key of the order as text; the ends of the list are the texts before and after all ids. */
function readPlace(text: string, sortBy: Order['sortBy']): [key: string | number, id: string] {
  if (text.startsWith('[')) return JSON.parse(text)
  const isTime = sortBy === 'createdAt' || sortBy === 'updatedAt'
  if (!isTime) return [text, text]
  return [text === '' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER, text]
}

const { paymentId } = bankPayments
const after = sql`(${param('afterKey')}, ${param('afterId')})`
const until = sql`(${param('untilKey')}, ${param('untilId')})`

/** The key `skip` places after the next one among a bank's payments. */
const endOfPart = variants(
  ({ sortBy, sortDirection }: Order) =>
    (db) =>
      db
        .select({ key: sql<string | number>`${sorts[sortBy]}`, id: paymentId })
        .from(bankPayments)
        .where(and(eq(bankPayments.custodianBankId, param('custodianBankId')), beyond({ sortBy, sortDirection })))
        .orderBy(...inOrder({ sortBy, sortDirection }))
        .limit(1)
        .offset(param('skip')),
)

const beyond = ({ sortBy, sortDirection }: Order) => {
  const key = sql`(${sorts[sortBy]}, ${paymentId})`
  return sortDirection === 'ASC' ? sql`${key} > ${after}` : sql`${key} < ${after}`
}
const upTo = ({ sortBy, sortDirection }: Order) => {
  const key = sql`(${sorts[sortBy]}, ${paymentId})`
  return sortDirection === 'ASC' ? sql`${key} <= ${until}` : sql`${key} >= ${until}`
}

const idsInPart = variants(({ isSearch, sortBy, sortDirection, ...filters }: Form) => (db) => {
  const order = { sortBy, sortDirection }
  const all = db.select({ id: paymentId }).from(bankPayments).$dynamic()
  const searched = isSearch ? all.innerJoin(payments, eq(payments.id, paymentId)) : all
  return searched
    .where(and(matching(filters, isSearch), beyond(order), upTo(order)))
    .orderBy(...inOrder(order))
    .limit(param('limit'))
})
