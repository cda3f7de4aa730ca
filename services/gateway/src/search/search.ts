import type { Caller } from '@bursar/http'
import { isStaff } from '../audit-trail/act'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { ownHits } from './own-hits'
import type { Found, SearchResult } from './search.model'
import { searchServices } from './search-services'

const mostShown = 40

/**
 * Searches all services for a text. Staff finds everything, a participant's user only its own. Fails (403) for others.
 */
export async function searchAll(
  { client, owners }: Pick<GatewayDeps, 'client' | 'owners'>,
  { roles, participantId }: Caller,
  q: string,
): Promise<SearchResult> {
  if (isStaff(roles)) return ranked(q, await searchServices(client, { q, participantId: null }))
  if (participantId === null) throw fail('FORBIDDEN')
  const { hits, silent } = await searchServices(client, { q, participantId })
  return ranked(q, { hits: await ownHits(owners, participantId, hits), silent })
}

/** Exact ids first, then in the services' order; each record once. */
function ranked(q: string, { hits, silent }: SearchResult): SearchResult {
  const isExact = ({ id }: Found) => Number(id.toLowerCase() === q.toLowerCase())
  const unique = hits.filter((hit, i) => hits.findIndex(({ kind, id }) => kind === hit.kind && id === hit.id) === i)
  return { hits: unique.toSorted((one, other) => isExact(other) - isExact(one)).slice(0, mostShown), silent }
}
