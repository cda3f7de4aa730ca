import { isUuid } from '@bursar/contracts/schema'
import { mostHits, type SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { and, asc, type Db, eq, gte, isNull, lt, param, prepared, startingWith } from '@bursar/store'
import { type ParticipantRow, readParticipant } from '../participants/participants'
import { participants } from '../participants/participants.table'
import { searchOwn } from './own-records'

/**
 * The participants that match a search: by id, else by the beginning of the name. A participant finds itself, its
 * customers and their accounts.
 */
export async function searchParticipants(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  if (participantId !== null) {
    return [...(await itself(db, participantId, q)), ...(await searchOwn(db, participantId, q))]
  }
  const rows = isUuid(q) ? [await readParticipant(db, q.toLowerCase())] : await byName(db).execute(values(q))
  return rows.flatMap((row) => (row?.live ? [toHit(row)] : []))
}

/** It is read by its id: among the first of a name others may take its place. */
async function itself(db: Db, id: string, q: string): Promise<SearchHit[]> {
  const row = await readParticipant(db, id)
  if (!row?.live) return []
  return row.searchName.startsWith(values(q).searchFrom) || id === q.toLowerCase() ? [toHit(row)] : []
}

const values = (q: string) => ({ ...startingWith(q), limit: mostHits })

const toHit = ({ id, institutionName, createdAt }: ParticipantRow): SearchHit => ({
  kind: 'participant',
  id,
  title: institutionName,
  detail: 'Participant',
  status: null,
  at: createdAt.toISOString(),
})

const byName = prepared((db) =>
  db
    .select()
    .from(participants)
    .where(
      and(
        isNull(participants.deletedAt),
        eq(participants.live, true),
        gte(participants.searchName, param('searchFrom')),
        lt(participants.searchName, param('searchTo')),
      ),
    )
    .orderBy(asc(participants.searchName))
    .limit(param('limit')),
)
