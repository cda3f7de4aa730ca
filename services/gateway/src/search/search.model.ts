import { oneOf, type Static, t, text } from '@bursar/contracts/schema'
import { SearchHit } from '@bursar/contracts/search'

export const SearchQuery = t.Object({ q: text(200) })

/** The hits with the services that know them, and the services without a usable answer: there may be more. */
export const SearchResult = t.Object(
  {
    hits: t.Array(t.Object({ ...SearchHit.properties, service: t.String() })),
    silent: t.Array(t.Object({ service: t.String(), reason: oneOf(['late', 'away', 'failing']) })),
  },
  { title: 'SearchResult' },
)
export type SearchResult = Static<typeof SearchResult>
export type Found = SearchResult['hits'][number]
