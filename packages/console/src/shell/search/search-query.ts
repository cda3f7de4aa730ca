import { request } from '../../api/http'

/** A record that fits (GET /console/api/search). */
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
  /** Services that gave no answer: there may be more. */
  silent: readonly { service: string; reason: 'late' | 'away' | 'failing' }[]
}

/** Fewer characters fit too much to be of use. */
export const fewestCharacters = 2

export const searchQuery = (q: string) => ({
  queryKey: ['search', q],
  queryFn: ({ signal }: { signal: AbortSignal }) => request<SearchResult>('/search', { query: { q }, signal }),
  enabled: q.length >= fewestCharacters,
  staleTime: 10_000,
  // What was found before stays until the next answer is there.
  placeholderData: (before: SearchResult | undefined) => before,
})
