import { response } from '@bursar/http'
import { Elysia } from 'elysia'
import { requireCounted } from '../console-sessions/require-session'
import type { GatewayDeps } from '../deps'
import { searchAll } from './search'
import { SearchQuery, SearchResult } from './search.model'

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
