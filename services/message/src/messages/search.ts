import { isUuid } from '@bursar/contracts/schema'
import type { SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import type { Db } from '@bursar/store'
import { findMessage } from './messages'

/** A message by its id; a participant finds only messages to itself. */
export async function searchMessages(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  const row = isUuid(q) ? await findMessage(db, q) : undefined
  if (!row || (participantId !== null && row.participantId !== participantId)) return []
  const { id, type, createdAt } = row
  const detail = `For participant ${row.participantId}`
  return [{ kind: 'message', id, title: `Message of type ${type}`, detail, status: null, at: createdAt.toISOString() }]
}
