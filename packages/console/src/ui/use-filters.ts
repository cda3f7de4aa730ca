import { useLocation } from 'preact-iso/router'
import { type FilterValues, filtersOf, withFilter } from '../format/filters'

/** The filters of a list, kept in the URL so that a view can be shared and bookmarked. */
export interface BoundFilters<Name extends string> {
  values: FilterValues<Name>
  set(name: Name, value: string): void
  /** Several at once. */
  change(values: Partial<FilterValues<Name>>): void
  clear(): void
  hasAny: boolean
}

export function useFilters<const Name extends string>(names: readonly Name[]): BoundFilters<Name> {
  const { query, route } = useLocation()
  const values = filtersOf(names, query)
  return {
    values,
    set: (name, value) => route(withFilter(here(), { [name]: value }), true),
    change: (changes) => route(withFilter(here(), changes as Record<string, string>), true),
    clear: () => route(withFilter(here(), Object.fromEntries(names.map((name) => [name, '']))), true),
    hasAny: Object.values(values).some((value) => value !== ''),
  }
}

/** The present URL: another filter may have been set since this one was rendered. */
const here = (): string => location.pathname + location.search
