import { screeningKinds } from '@bursar/contracts/sanctions'
import {
  and,
  countUpTo,
  type Db,
  eq,
  firstWithin,
  gte,
  idFloor,
  keyset,
  lt,
  type Order,
  or,
  param,
  type SQL,
  sql,
  variants,
} from '@bursar/store'
import type { JobRow } from './jobs'
import type { JobsQuery } from './jobs.model'
import { jobs } from './jobs.table'

type Filter = Omit<JobsQuery, 'limit' | 'order' | 'after' | 'count'>

/** A page of the jobs, by age: of one participant, or of all (null). */
export function findJobs(
  db: Db,
  filter: Filter,
  { order = 'desc', after, limit }: Pick<JobsQuery, 'order' | 'after' | 'limit'>,
  participantId: string | null,
): Promise<JobRow[]> {
  const values = valuesOf(filter, participantId)
  const start = firstWithin(order, after, { from: values.fromId, to: values.toId })
  return page({ ...formOf(filter, participantId), order })(db).execute({ ...values, after: start, limit })
}

/** How many jobs pass the filter. */
export async function countJobs(db: Db, filter: Filter, participantId: string | null): Promise<number> {
  const [row] = await total(formOf(filter, participantId))(db).execute(valuesOf(filter, participantId))
  return row?.total ?? 0
}

/** A statement's form: the condition whose index leads, and the others that it has. */
type FilterForm = {
  lead: 'externalId' | 'address' | 'sanctioned' | 'failed' | 'pending' | 'participant' | 'age'
  others: readonly Condition[]
}

function formOf(filter: Filter, participantId: string | null): FilterForm {
  const { transactionId, externalId = transactionId, address, kind, status, sanctioned, from, to } = filter
  const has: Record<Condition, boolean> = {
    address: address !== undefined,
    kind: kind !== undefined || transactionId !== undefined,
    status: status !== undefined,
    sanctioned: sanctioned === true,
    clear: sanctioned === false,
    participant: participantId !== null,
    time: from !== undefined || to !== undefined,
  }
  const others = conditionNames.filter((name) => has[name])
  return { lead: leadOf({ ...filter, externalId }, participantId), others }
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

// Each of these is the very text of a partial index.
const isFailed = sql`${jobs.status} = 'failed'`
const isSanctioned = sql`${jobs.sanctioned}`
const ofParticipant = eq(jobs.participantId, param('participantId'))
const ofAddress = sql`lower(${jobs.subject}) = ${param('address')}`

const leads: Record<FilterForm['lead'], SQL | undefined> = {
  externalId: or(...screeningKinds.map((kind) => and(eq(jobs.kind, kind), eq(jobs.externalId, param('externalId'))))),
  address: ofAddress,
  sanctioned: isSanctioned,
  failed: isFailed,
  pending: sql`${jobs.status} = 'pending'`,
  participant: ofParticipant,
  age: undefined,
}
const conditions = {
  address: ofAddress,
  kind: sql`+${jobs.kind} = ${param('kind')}`,
  status: sql`+${jobs.status} = ${param('status')}`,
  sanctioned: isSanctioned,
  clear: eq(jobs.sanctioned, false),
  participant: sql`+${jobs.participantId} = ${param('participantId')}`,
  time: and(gte(jobs.id, param('fromId')), lt(jobs.id, param('toId'))),
}
type Condition = keyof typeof conditions
const conditionNames = Object.keys(conditions) as Condition[]
const isWanted = ({ lead, others }: FilterForm, order?: Order) =>
  and(leads[lead], ...others.map((name) => (name === 'time' && order ? restOfTime[order] : conditions[name])))

/** The time of a page, whose beginning is where it starts. */
const restOfTime: Record<Order, SQL | undefined> = {
  asc: and(sql`+${jobs.id} >= ${param('fromId')}`, lt(jobs.id, param('toId'))),
  desc: and(gte(jobs.id, param('fromId')), sql`+${jobs.id} < ${param('toId')}`),
}

const page = variants(({ order, ...form }: FilterForm & { order: Order }) => (db) => {
  const { beyond, by } = keyset(jobs.id, order)
  return db
    .select()
    .from(jobs)
    .where(and(isWanted(form, order), beyond))
    .orderBy(by)
    .limit(param('limit'))
})
const total = variants((form: FilterForm) => (db) => countUpTo(db, jobs, isWanted(form)))
