import { t, text } from '@bursar/contracts/schema'
import { mostHits, SearchHit } from '@bursar/contracts/search'
import type { Identity } from '../peers/identity'
import { internalRoutes } from './internal-routes'
import { queryUuid } from './query'
import { response } from './response'

/** A search. */
export interface Sought {
  /** Trimmed; never empty. */
  readonly q: string
  /** Only records of this participant may be found; null for all. */
  readonly participantId: string | null
}

const SearchQuery = t.Object({ q: text(200), participantId: t.Optional(queryUuid()) })

/**
 * `GET /internal/search`, for the gateway (contracts/search.ts). `find` uses only indexes: exact matches
 * first, then names that begin with the text. It answers within milliseconds for any number of records.
 */
export const searchRoutes = (
  { identity }: { identity: Identity },
  find: (sought: Sought) => SearchHit[] | Promise<SearchHit[]>,
) =>
  internalRoutes(identity, '/internal/search').get(
    '/',
    async ({ query }) => {
      const q = query.q.trim()
      if (q === '') return []
      return (await find({ q, participantId: query.participantId ?? null })).slice(0, mostHits)
    },
    { query: SearchQuery, response: { 200: response(t.Array(SearchHit)) } },
  )
