import { screeningKinds } from '@bursar/contracts/sanctions'
import { and, defineList, eq, or, param, type SQL, sql, unindexed } from '@bursar/store'
import type { JobRow } from './jobs'
import type { JobsQuery } from './jobs.model'
import { jobs } from './jobs.table'

/** The filters of a list of jobs; participantId is null for all participants. */
interface JobFilter extends Omit<JobsQuery, 'limit' | 'order' | 'after' | 'count'> {
  participantId: string | null
}

/** The jobs that match the filters, by age. */
export const jobList = defineList({
  id: jobs.id,
  rows: (db) => db.select().from(jobs),
  to: (row): JobRow => row,
  read: (filter: JobFilter) => ({ form: formOf(filter), values: valuesOf(filter), time: filter }),
  where: ({ lead, others }) => and(leads[lead], ...others.map((name) => conditions[name])),
  // An externalId matches few jobs.
  isSparse: ({ lead, others }) => lead !== 'externalId' && others.length > 0,
  along: ({ lead }) => leads[lead],
})

/** The condition whose index is used, and the other conditions of a list. */
type FilterForm = {
  lead: 'externalId' | 'address' | 'sanctioned' | 'failed' | 'pending' | 'participant' | 'age'
  others: readonly Condition[]
}

function formOf(filter: JobFilter): FilterForm {
  const { transactionId, externalId = transactionId, address, kind, status, sanctioned, participantId } = filter
  const lead = leadOf({ ...filter, externalId })
  const has: Record<Condition, boolean> = {
    address: address !== undefined && lead !== 'address',
    kind: kind !== undefined || transactionId !== undefined,
    status: status !== undefined && status !== lead,
    sanctioned: sanctioned === true && lead !== 'sanctioned',
    clear: sanctioned === false,
    participant: participantId !== null && lead !== 'participant',
  }
  return { lead, others: conditionNames.filter((name) => has[name]) }
}

/** The most selective condition. Most jobs are completed, and not sanctioned. */
function leadOf({ externalId, address, status, sanctioned, participantId }: JobFilter): FilterForm['lead'] {
  if (externalId !== undefined) return 'externalId'
  if (address !== undefined) return 'address'
  if (sanctioned === true) return 'sanctioned'
  if (status === 'failed' || status === 'pending') return status
  return participantId === null ? 'age' : 'participant'
}

const valuesOf = ({ transactionId, externalId, kind, status, address, participantId }: JobFilter) => ({
  externalId: transactionId ?? externalId,
  kind: transactionId === undefined ? kind : 'ledger',
  status,
  // Addresses are ASCII: every database lower-cases them the same.
  address: address?.trim().toLowerCase(),
  participantId,
})

// Each of these repeats the text of a partial index or of an indexed expression.
const leads: Record<FilterForm['lead'], SQL | undefined> = {
  externalId: or(...screeningKinds.map((kind) => and(eq(jobs.kind, kind), eq(jobs.externalId, param('externalId'))))),
  address: sql`lower(${jobs.subject}) = ${param('address')}`,
  sanctioned: sql`${jobs.sanctioned}`,
  failed: sql`${jobs.status} = 'failed'`,
  pending: sql`${jobs.status} = 'pending'`,
  participant: eq(jobs.participantId, param('participantId')),
  age: undefined,
}
// No index is used but that of the leading condition.
const conditions = {
  address: eq(unindexed(sql`lower(${jobs.subject})`), param('address')),
  kind: eq(unindexed(jobs.kind), param('kind')),
  status: eq(unindexed(jobs.status), param('status')),
  sanctioned: unindexed(jobs.sanctioned),
  clear: eq(jobs.sanctioned, false),
  participant: eq(unindexed(jobs.participantId), param('participantId')),
}
type Condition = keyof typeof conditions
const conditionNames = Object.keys(conditions) as Condition[]
