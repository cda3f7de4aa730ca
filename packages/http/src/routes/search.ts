import { t, text } from '@bursar/contracts/schema'
import { mostHits, SearchHit } from '@bursar/contracts/search'
import { Elysia } from 'elysia'
import { type Identity, requireService } from '../peers/identity'
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
  new Elysia({ prefix: '/internal/search', detail: { hide: true } }).get(
    '/',
    async ({ request, query }) => {
      await requireService(identity, request)
      const q = query.q.trim()
      if (q === '') return []
      return (await find({ q, participantId: query.participantId ?? null })).slice(0, mostHits)
    },
    { query: SearchQuery, response: { 200: response(t.Array(SearchHit)) } },
  )
