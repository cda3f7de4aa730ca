import {
  and,
  count,
  countUpTo,
  countWindows,
  type Db,
  eq,
  firstWithin,
  getTableColumns,
  gte,
  idFloor,
  keyset,
  lastWithin,
  lt,
  mostCounted,
  type Order,
  param,
  readWindows,
  type SQL,
  sql,
  variants,
  type Windowed,
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
export async function findDeliveries(
  db: Db,
  filter: DeliveryFilter,
  { order, after, limit }: { order: Order; after?: string | undefined; limit: number },
): Promise<ListedRow[]> {
  const form = formOf(filter)
  const values = valuesOf(filter)
  const place = { after: startOf(order, after, values), limit, offset: 0 }
  if (isSparse(form)) return await readWindows(windows(db, filter, order), place)
  return await page({ ...form, order, isBounded: false })(db).execute({ ...values, ...place })
}

/** How many deliveries pass the filter: more than `mostCounted` where there are more than are counted. */
export async function countDeliveries(db: Db, filter: DeliveryFilter): Promise<number> {
  const form = formOf(filter)
  if (isSparse(form)) return await countWindows(windows(db, filter, 'asc'), mostCounted)
  const [row] = await total(form)(db).execute(valuesOf(filter))
  return row?.total ?? 0
}

const startOf = (order: Order, after: string | undefined, { fromId, toId }: { fromId: string; toId: string }): string =>
  firstWithin(order, after, { from: fromId, to: toId })

/** Along the index of the filter that leads, part by part: of what it has few may pass the others. */
function windows(db: Db, filter: DeliveryFilter, order: Order): Windowed<ListedRow> {
  const form = formOf(filter)
  const values = valuesOf(filter)
  const bounded = { ...form, order, isBounded: true }
  const end = endOf({ lead: form.lead, isTimed: form.isTimed, order })(db)
  const time = { from: values.fromId, to: values.toId }
  const at = (place: { after: string; until?: string }): Record<string, unknown> => ({
    ...values,
    ...place,
    after: firstWithin(order, place.after, time),
    until: lastWithin(order, place.until ?? '', time),
  })
  return {
    order,
    end: async (place) => (await end.execute(at(place)))[0]?.id,
    page: (place) => page(bounded)(db).execute({ ...at(place) }),
    count: async (place) => (await countIn(bounded)(db).execute(at(place)))[0]?.total ?? 0,
  }
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

/** Whether there are filters besides the one that leads. A resource has a handful of deliveries. */
const isSparse = ({ named, lead }: FilterForm): boolean =>
  lead !== 'resourceId' && named.length > (lead === 'none' ? 0 : lead === 'failedOfEndpoint' ? 2 : 1)

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

function conditions(form: FilterForm, bounds?: Bounds): SQL[] {
  const { named, lead } = form
  const others = (Object.keys(columns) as Named[]).filter((name) => named.includes(name) && !leads(lead, name))
  // The `+` keeps the database from another index, whose rows it would have to sort.
  return [...leading(form, bounds), ...others.map((name) => sql`+${columns[name]} = ${param(name)}`)]
}

const leads = (lead: FilterForm['lead'], name: Named): boolean =>
  lead === name || (lead === 'failedOfEndpoint' && name === 'endpointId')

/** What the index that leads answers. */
function leading({ named, lead, isTimed }: Pick<FilterForm, 'named' | 'lead' | 'isTimed'>, bounds?: Bounds): SQL[] {
  const found = (Object.keys(columns) as Named[])
    .filter((name) => named.includes(name) && leads(lead, name))
    .map((name) => eq(columns[name], param(name)))
  if (lead === 'failedOfEndpoint') found.push(sql`${deliveries.status} = 'failed'`)
  if (lead === 'resourceId') {
    found.push(gte(deliveries.requestId, param('resourceId')), lt(deliveries.requestId, param('behindResource')))
  }
  const id = idOf(lead)
  const unindexed = sql`+${deliveries.id}`
  // Where a page, or a part, begins and ends is in its own conditions: these ends of the time are not looked up besides.
  if (isTimed) {
    const isOwn = (side: Order) => bounds !== undefined && (bounds.order === side || bounds.isBounded)
    const [low, high] = [isOwn('asc') ? unindexed : id, isOwn('desc') ? unindexed : id]
    found.push(sql`${low} >= ${param('fromId')}`, sql`${high} < ${param('toId')}`)
  }
  return found
}

/** Of a resource all deliveries are read, and sorted: the `+` keeps the database from going along all ids instead. */
const idOf = (lead: FilterForm['lead']): SQL => (lead === 'resourceId' ? sql`+${deliveries.id}` : sql`${deliveries.id}`)

const { body: _body, headers: _headers, ...listed } = getTableColumns(deliveries)

type Bounds = { order: Order; isBounded: boolean }
type PageForm = FilterForm & Bounds

function within({ order, isBounded, ...form }: PageForm): SQL[] {
  const id = idOf(form.lead)
  const [beyond, until] = order === 'asc' ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`]
  return [
    ...conditions(form, { order, isBounded }),
    sql`${id} ${beyond} ${param('after')}`,
    ...(isBounded ? [sql`${id} ${until} ${param('until')}`] : []),
  ]
}

const page = variants((form: PageForm) => (db) => {
  const { by } = keyset(deliveries.id, form.order)
  return db
    .select(listed)
    .from(deliveries)
    .where(and(...within(form)))
    .orderBy(by)
    .limit(param('limit'))
})
const total = variants((form: FilterForm) => (db) => countUpTo(db, deliveries, and(...conditions(form))))
const countIn = variants(
  (form: PageForm) => (db) =>
    db
      .select({ total: count() })
      .from(deliveries)
      .where(and(...within(form))),
)
/** The id that comes `skip` behind the next one in the index that leads. */
const endOf = variants(({ lead, isTimed, order }: Pick<PageForm, 'lead' | 'isTimed' | 'order'>) => (db) => {
  const { beyond, by } = keyset(deliveries.id, order)
  const named = Object.keys(columns)
  return db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(...leading({ named, lead, isTimed }, { order, isBounded: false }), beyond))
    .orderBy(by)
    .limit(1)
    .offset(param('skip'))
})
