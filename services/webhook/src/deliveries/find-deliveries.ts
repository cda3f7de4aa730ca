import {
  and,
  countUpTo,
  type Db,
  eq,
  firstAfter,
  getTableColumns,
  gte,
  idFloor,
  keyset,
  lt,
  type Order,
  param,
  type SQL,
  sql,
  variants,
} from '@bursar/store'
import type { DeliveryRow } from './deliveries'
import type { DeliveryStatus } from './deliveries.table'
import { deliveries } from './deliveries.table'

/** Which deliveries are looked for; what is not named may be anything. */
export interface DeliveryFilter {
  endpointId?: string | undefined
  status?: DeliveryStatus | undefined
  eventType?: string | undefined
  participantId?: string | undefined
  /** The job, message or event that they tell of. */
  resourceId?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** What of a delivery a list needs: bodies may be long. */
export type ListedRow = Omit<DeliveryRow, 'body' | 'headers'>

/** A page of the deliveries, by age. */
export const findDeliveries = (
  db: Db,
  filter: DeliveryFilter,
  { order, after, limit }: { order: Order; after?: string | undefined; limit: number },
): Promise<ListedRow[]> =>
  page({ ...formOf(filter), order })(db).execute({ ...valuesOf(filter), after: firstAfter(order, after), limit })

/** How many deliveries pass the filter. */
export async function countDeliveries(db: Db, filter: DeliveryFilter): Promise<number> {
  const [row] = await total(formOf(filter))(db).execute(valuesOf(filter))
  return row?.total ?? 0
}

const columns = {
  endpointId: deliveries.endpointId,
  eventType: deliveries.eventType,
  participantId: deliveries.participantId,
  status: deliveries.status,
}
type Named = keyof typeof columns
const namedFilters = Object.keys(columns) as Named[]

/** A statement's form: the filters it has, and the one whose index leads. */
type FilterForm = {
  named: readonly string[]
  lead: Named | 'resourceId' | 'failedOfEndpoint' | 'none'
  isTimed: boolean
}

const formOf = (filter: DeliveryFilter): FilterForm => ({
  named: namedFilters.filter((name) => filter[name] !== undefined),
  lead: leadOf(filter),
  isTimed: filter.from !== undefined || filter.to !== undefined,
})

/** The filter that leaves the fewest: its index gives the order of age as well. Few fail, and fewer are under way. */
function leadOf({ resourceId, status, ...filter }: DeliveryFilter): FilterForm['lead'] {
  if (resourceId !== undefined) return 'resourceId'
  if (status === 'failed') return filter.endpointId === undefined ? 'status' : 'failedOfEndpoint'
  if (status === 'pending_retry') return 'status'
  const leads = ['endpointId', 'eventType', 'participantId'] as const
  return leads.find((name) => filter[name] !== undefined) ?? (status === undefined ? 'none' : 'status')
}

const valuesOf = ({ from, to, resourceId, ...filter }: DeliveryFilter) => ({
  ...filter,
  resourceId,
  // Notifications are told of once for each participant: `<id of the event>.<id of the participant>`.
  behindResource: resourceId === undefined ? undefined : `${resourceId}/`,
  fromId: from ? idFloor(from) : '',
  // Everything of that millisecond, and nothing of the next.
  toId: to ? idFloor(new Date(to.getTime() + 1)) : '~',
})

function conditions({ named, lead, isTimed }: FilterForm): SQL[] {
  const found: SQL[] = []
  for (const name of Object.keys(columns) as Named[]) {
    if (!named.includes(name)) continue
    const column = columns[name]
    const leads = lead === name || (lead === 'failedOfEndpoint' && name === 'endpointId')
    // The `+` keeps the database from another index, whose rows it would have to sort.
    found.push(leads ? eq(column, param(name)) : sql`+${column} = ${param(name)}`)
  }
  if (lead === 'failedOfEndpoint') found.push(sql`${deliveries.status} = 'failed'`)
  if (lead === 'resourceId') {
    found.push(gte(deliveries.requestId, param('resourceId')), lt(deliveries.requestId, param('behindResource')))
  }
  if (isTimed) found.push(gte(deliveries.id, param('fromId')), lt(deliveries.id, param('toId')))
  return found
}

const { body: _body, headers: _headers, ...listed } = getTableColumns(deliveries)

const page = variants(({ order, ...form }: FilterForm & { order: Order }) => (db) => {
  const { beyond, by } = keyset(deliveries.id, order)
  return db
    .select(listed)
    .from(deliveries)
    .where(and(...conditions(form), beyond))
    .orderBy(by)
    .limit(param('limit'))
})
const total = variants((form: FilterForm) => (db) => countUpTo(db, deliveries, and(...conditions(form))))
