import type { SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import type { Db } from '@bursar/store'
import { toFilter } from './log-messages'
import { always } from './message-filter'
import { readOfSubject } from './read-of-subject'

/** The request with this id, by its last message. Nothing for participants, who cannot read the log. */
export async function searchRequests(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  if (participantId !== null) return []
  const newest = { sort: 'timestamp', order: 'desc', limit: 1, offset: 0 } as const
  const { messages, total } = await readOfSubject(db, { requestId: q, ...toFilter({}), ...always }, newest)
  const [last] = messages
  if (!last) return []
  return [
    {
      kind: 'request',
      id: last.request_id,
      title: `Request ${last.request_id}`,
      detail: `${total} log ${total === 1 ? 'message' : 'messages'}, the last from ${last.service}`,
      status: last.status,
      at: last.timestamp,
    },
  ]
}
