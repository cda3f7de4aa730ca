import { useLocation } from 'preact-iso/router'
import { withFilter } from '../../format/filters'
import { type BoundFilters, useFilters } from '../../ui/filters'

/** Filters of a list with pages by offset: a changed filter returns to the first page. */
export function usePagedFilters<const Name extends string>(names: readonly Name[]) {
  const { url, query, route } = useLocation()
  const bound = useFilters(names)
  const filters: BoundFilters<Name> = {
    ...bound,
    set: (name, value) => route(withFilter(url, { [name]: value, offset: '' }), true),
    clear: () => route(withFilter(url, { offset: '', ...Object.fromEntries(names.map((name) => [name, ''])) }), true),
  }
  return {
    filters,
    offset: Number.parseInt(query.offset ?? '', 10) || 0,
    setOffset: (offset: number) => route(withFilter(url, { offset: offset === 0 ? '' : String(offset) })),
  }
}
