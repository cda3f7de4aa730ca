import { isUuid } from '@bursar/contracts/schema'
import type { SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import type { Db } from '@bursar/store'
import { jobList } from './find-jobs'
import { findJobById, type JobRow } from './jobs'

const newest = { order: 'desc', limit: 5 } as const

/** Screenings by id, externalId, transaction, or address. */
export async function searchJobs(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  const id = isUuid(q) ? q.toLowerCase() : q
  const [job, named, ofSubject] = await Promise.all([
    isUuid(q) ? findJobById(db, id) : undefined,
    jobList.page(db, { externalId: id, participantId }, newest),
    jobList.page(db, { address: q, participantId }, newest),
  ])
  const isOwn = job && (participantId === null || job.participantId === participantId)
  const rows = [...(isOwn ? [job] : []), ...named, ...ofSubject]
  return [...new Map(rows.map((row) => [row.id, toHit(row)])).values()]
}

const toHit = ({ id, kind, subject, blockchain, externalId, status, sanctioned, createdAt }: JobRow): SearchHit => ({
  kind: 'screening',
  id,
  title: subject === '' ? `Screening of ${externalId}` : `Screening of ${subject}`,
  detail: kind === 'ledger' ? `Transaction ${externalId} on ${blockchain}` : `${externalId} on ${blockchain}`,
  status: sanctioned === null ? status : sanctioned ? 'sanctioned' : 'clear',
  at: createdAt.toISOString(),
})
