import { t, text } from '@bursar/contracts/schema'
import { mostHits, SearchHit } from '@bursar/contracts/search'
import { Elysia } from 'elysia'
import { type Identity, requireService } from '../peers/identity'
import { queryUuid } from './query'
import { response } from './response'

/** What somebody looks for. */
export interface Sought {
  /** Without spaces at its ends; never empty. */
  readonly q: string
  /** Nothing but what belongs to this participant may be found; null for everything. */
  readonly participantId: string | null
}

const SearchQuery = t.Object({ q: text(200), participantId: t.Optional(queryUuid()) })

/**
 * `GET /internal/search`, for the gateway (contracts/search.ts). `find` looks by index alone: what is equal to the text
 * first, then names that begin with it. It answers within milliseconds however many records there are.
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
