import { oneOf, t, text } from '@bursar/contracts/schema'
import { SearchHit } from '@bursar/contracts/search'
import { response } from '@bursar/http'
import { Elysia } from 'elysia'
import { requireCounted } from '../console-sessions/require-session'
import type { GatewayDeps } from '../deps'
import { searchAll } from './search'

const SearchQuery = t.Object({ q: text(200) })

const SearchResult = t.Object(
  {
    hits: t.Array(t.Object({ ...SearchHit.properties, service: t.String() })),
    silent: t.Array(t.Object({ service: t.String(), reason: oneOf(['late', 'away', 'failing']) })),
  },
  { title: 'SearchResult' },
)

/** One search over all services (console). */
export const searchRoutes = (deps: GatewayDeps) =>
  new Elysia({ prefix: '/console/api/search', detail: { hide: true } }).get(
    '/',
    async ({ request, query }) => {
      const { caller, counted } = await requireCounted(deps, request)
      const q = query.q.trim()
      if (q === '') return { hits: [], silent: [] }
      const release = deps.listSlots.take(counted, caller.participantId)
      return await searchAll(deps, caller, q).finally(release)
    },
    { query: SearchQuery, response: { 200: response(SearchResult) } },
  )
