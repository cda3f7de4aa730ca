import { keepPreviousData } from '@tanstack/query-core'
import { request } from '../../api/http'

/** A record that matches (GET /console/api/search). */
export interface Hit {
  kind: string
  id: string
  title: string
  detail: string
  status: string | null
  at: string | null
  service: string
}

export interface SearchResult {
  hits: readonly Hit[]
  /** Services that did not answer: there may be more results. */
  silent: readonly { service: string; reason: 'late' | 'away' | 'failing' }[]
}

/** Fewer characters match too much. */
export const fewestCharacters = 2

export const searchQuery = (q: string) => ({
  queryKey: ['search', q],
  queryFn: ({ signal }: { signal: AbortSignal }) => request<SearchResult>('/search', { query: { q }, signal }),
  enabled: q.length >= fewestCharacters,
  staleTime: 10_000,
  // The previous results stay until the next answer.
  placeholderData: keepPreviousData,
})
