import { mostHits, type SearchHit, searchCall } from '@bursar/contracts/search'
import { type ServiceName, serviceNames } from '@bursar/contracts/services'
import { type Client, isCallError, type Sought } from '@bursar/http'
import type { Found, SearchResult } from './search.model'

const timeoutMs = 800
const mostBytes = 64 * 1024
const longestText = 200
const asked = serviceNames.filter((name) => name !== 'gateway')

/** Queries all services in parallel. Hanging ones delay only their own hits: they are named in `silent`. */
export async function searchServices(client: Client, sought: Sought): Promise<SearchResult> {
  const answers = await Promise.all(asked.map((service) => hitsOf(client, service, sought)))
  return {
    hits: answers.flatMap((answer) => ('hits' in answer ? answer.hits : [])),
    silent: answers.flatMap((answer) => ('reason' in answer ? [answer] : [])),
  }
}

async function hitsOf(
  client: Client,
  service: ServiceName,
  { q, participantId }: Sought,
): Promise<{ hits: Found[] } | SearchResult['silent'][number]> {
  try {
    const query: Record<string, string> = participantId === null ? { q } : { q, participantId }
    // A service without a search answers 404.
    const hits = (await client.find(searchCall(service), { query, timeoutMs, mostBytes })) ?? []
    return { hits: hits.slice(0, mostHits).map((hit) => ({ ...clipped(hit), service })) }
  } catch (error) {
    if (!isCallError(error)) throw error
    const reasons = { timeout: 'late', unreachable: 'away', refused: 'failing', broken: 'failing' } as const
    return { service, reason: reasons[error.problem] }
  }
}

const clipped = (hit: SearchHit): SearchHit => ({
  ...hit,
  title: hit.title.slice(0, longestText),
  detail: hit.detail.slice(0, longestText),
})
