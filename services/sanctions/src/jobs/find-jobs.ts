import { screeningKinds } from '@bursar/contracts/sanctions'
import {
  and,
  count,
  countUpTo,
  countWindows,
  type Db,
  eq,
  firstWithin,
  idFloor,
  keyset,
  lastWithin,
  mostCounted,
  type Order,
  or,
  param,
  readWindows,
  type SQL,
  sql,
  variants,
  type Windowed,
} from '@bursar/store'
import type { JobRow } from './jobs'
import type { JobsQuery } from './jobs.model'
import { jobs } from './jobs.table'

type Filter = Omit<JobsQuery, 'limit' | 'order' | 'after' | 'count'>

/** A page of the jobs, by age: of one participant, or of all (null). */
export async function findJobs(
  db: Db,
  filter: Filter,
  { order = 'desc', after, limit }: Pick<JobsQuery, 'order' | 'after' | 'limit'>,
  participantId: string | null,
): Promise<JobRow[]> {
  const form = formOf(filter, participantId)
  const values = valuesOf(filter, participantId)
  const start = firstWithin(order, after, { from: values.fromId, to: values.toId })
  const place = { after: start, limit, offset: 0 }
  if (isSparse(form)) return await readWindows(windows(db, form, values, order), place)
  return await page({ ...form, order, isBounded: false })(db).execute({ ...values, ...place })
}

/** How many jobs pass the filter: more than `mostCounted` where there are more than are counted. */
export async function countJobs(db: Db, filter: Filter, participantId: string | null): Promise<number> {
  const form = formOf(filter, participantId)
  const values = valuesOf(filter, participantId)
  if (isSparse(form)) return await countWindows(windows(db, form, values, 'asc'), mostCounted)
  const [row] = await total(form)(db).execute(values)
  return row?.total ?? 0
}

/** Along the index of the condition that leads, part by part: of what it has few may pass the others. */
function windows(db: Db, form: FilterForm, values: ReturnType<typeof valuesOf>, order: Order): Windowed<JobRow> {
  const time = { from: values.fromId, to: values.toId }
  const bounded = { ...form, order, isBounded: true }
  const end = endOf({ lead: form.lead, isTimed: form.isTimed, order })(db)
  const at = (place: { after: string; until?: string }): Record<string, unknown> => ({
    ...values,
    ...place,
    after: firstWithin(order, place.after, time),
    until: lastWithin(order, place.until ?? '', time),
  })
  return {
    order,
    end: async (place) => (await end.execute(at(place)))[0]?.id,
    page: (place) => page(bounded)(db).execute(at(place)),
    count: async (place) => (await countIn(bounded)(db).execute(at(place)))[0]?.total ?? 0,
  }
}

/** A statement's form: the condition whose index leads, whether it has a time, and the others that it has. */
type FilterForm = {
  lead: 'externalId' | 'address' | 'sanctioned' | 'failed' | 'pending' | 'participant' | 'age'
  isTimed: boolean
  others: readonly Condition[]
}

/** Whether there are conditions besides the one that leads. A caller's name is that of a few jobs. */
const isSparse = ({ lead, others }: FilterForm): boolean => lead !== 'externalId' && others.length > 0

function formOf(filter: Filter, participantId: string | null): FilterForm {
  const { transactionId, externalId = transactionId, address, kind, status, sanctioned, from, to } = filter
  const lead = leadOf({ ...filter, externalId }, participantId)
  const has: Record<Condition, boolean> = {
    address: address !== undefined && lead !== 'address',
    kind: kind !== undefined || transactionId !== undefined,
    status: status !== undefined && status !== lead,
    sanctioned: sanctioned === true && lead !== 'sanctioned',
    clear: sanctioned === false,
    participant: participantId !== null && lead !== 'participant',
  }
  return { lead, isTimed: from !== undefined || to !== undefined, others: conditionNames.filter((name) => has[name]) }
}

/** The condition that leaves the fewest jobs. Most are completed, and not sanctioned. */
function leadOf({ externalId, address, status, sanctioned }: Filter, participantId: string | null): FilterForm['lead'] {
  if (externalId !== undefined) return 'externalId'
  if (address !== undefined) return 'address'
  if (sanctioned === true) return 'sanctioned'
  if (status === 'failed' || status === 'pending') return status
  return participantId === null ? 'age' : 'participant'
}

function valuesOf(
  { transactionId, externalId, kind, status, address, from, to }: Filter,
  participantId: string | null,
) {
  return {
    externalId: transactionId ?? externalId,
    kind: transactionId === undefined ? kind : 'ledger',
    status,
    // Addresses are ASCII: every database folds them alike.
    address: address?.trim().toLowerCase(),
    participantId,
    fromId: from ? idFloor(from) : '',
    // Everything of that millisecond, and nothing of the next.
    toId: to ? idFloor(new Date(to.getTime() + 1)) : '~',
  }
}

// Each of these is the very text of a partial index, or of what an index is over.
const leads: Record<FilterForm['lead'], SQL | undefined> = {
  externalId: or(...screeningKinds.map((kind) => and(eq(jobs.kind, kind), eq(jobs.externalId, param('externalId'))))),
  address: sql`lower(${jobs.subject}) = ${param('address')}`,
  sanctioned: sql`${jobs.sanctioned}`,
  failed: sql`${jobs.status} = 'failed'`,
  pending: sql`${jobs.status} = 'pending'`,
  participant: eq(jobs.participantId, param('participantId')),
  age: undefined,
}
// The `+` keeps the database from another index than that of the condition that leads.
const conditions = {
  address: sql`+lower(${jobs.subject}) = ${param('address')}`,
  kind: sql`+${jobs.kind} = ${param('kind')}`,
  status: sql`+${jobs.status} = ${param('status')}`,
  sanctioned: sql`+${jobs.sanctioned}`,
  clear: eq(jobs.sanctioned, false),
  participant: sql`+${jobs.participantId} = ${param('participantId')}`,
}
type Condition = keyof typeof conditions
const conditionNames = Object.keys(conditions) as Condition[]

/** In this order, from `after` on, which lies in the time; a bounded part ends at `until`, which does too. */
type Bounds = { order: Order; isBounded: boolean }
type PageForm = FilterForm & Bounds

const isWanted = (form: FilterForm, bounds?: Bounds) =>
  and(isLed(form, bounds), ...form.others.map((name) => conditions[name]))

/** What the index that leads answers. */
function isLed({ lead, isTimed }: Pick<FilterForm, 'lead' | 'isTimed'>, bounds?: Bounds): SQL | undefined {
  if (!isTimed) return leads[lead]
  // Where a page, or a part, begins and ends is in its own conditions: these ends of the time are not looked up besides.
  const isOwn = (side: Order) => bounds !== undefined && (bounds.order === side || bounds.isBounded)
  const idAt = (side: Order) => (isOwn(side) ? sql`+${jobs.id}` : sql`${jobs.id}`)
  return and(leads[lead], sql`${idAt('asc')} >= ${param('fromId')}`, sql`${idAt('desc')} < ${param('toId')}`)
}

function isWithin({ order, isBounded, ...form }: PageForm): SQL | undefined {
  const until = sql`${jobs.id} ${order === 'asc' ? sql`<=` : sql`>=`} ${param('until')}`
  return and(isWanted(form, { order, isBounded }), keyset(jobs.id, order).beyond, isBounded ? until : undefined)
}

const page = variants(
  (form: PageForm) => (db) =>
    db.select().from(jobs).where(isWithin(form)).orderBy(keyset(jobs.id, form.order).by).limit(param('limit')),
)
const total = variants((form: FilterForm) => (db) => countUpTo(db, jobs, isWanted(form)))
const countIn = variants((form: PageForm) => (db) => db.select({ total: count() }).from(jobs).where(isWithin(form)))
/** The id that comes `skip` behind the next one in the index that leads. */
const endOf = variants(({ lead, isTimed, order }: Pick<PageForm, 'lead' | 'isTimed' | 'order'>) => (db) => {
  const { beyond, by } = keyset(jobs.id, order)
  return db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(isLed({ lead, isTimed }, { order, isBounded: false }), beyond))
    .orderBy(by)
    .limit(1)
    .offset(param('skip'))
})
