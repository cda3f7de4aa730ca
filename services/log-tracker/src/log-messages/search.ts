import type { SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import type { Db } from '@bursar/store'
import { toFilter } from './log-messages'
import { always } from './message-filter'
import { countOf, readOf } from './read-of-subject'

/** The request that has this id, by its last message. The log is not for participants. */
export async function searchRequests(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  if (participantId !== null) return []
  const request = { ...toFilter({}), ...always, requestId: q, limit: 1, offset: 0 }
  const [last] = await readOf.request.timestamp(db, 'desc', request)
  if (!last) return []
  const messages = await countOf(db, 'request', request)
  return [
    {
      kind: 'request',
      id: last.request_id,
      title: `Request ${last.request_id}`,
      detail: `${messages} log ${messages === 1 ? 'message' : 'messages'}, the last from ${last.service}`,
      status: last.status,
      at: last.timestamp,
    },
  ]
}
