import { keepPreviousData } from '@tanstack/query-core'
import { useRequest } from '../../api/read'

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

export const useSearch = (q: string) =>
  useRequest<SearchResult>(['search', q], '/search', {
    query: { q },
    enabled: q.length >= fewestCharacters,
    staleTime: 10_000,
    // The previous results stay until the next answer.
    placeholderData: keepPreviousData,
  })
