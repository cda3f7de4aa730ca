/** The filters of a list by their names in the URL; empty for none. */
export type FilterValues<Name extends string> = Record<Name, string>

/** The filters in a URL's query, by name; other parameters are left out. */
export const filtersOf = <Name extends string>(
  names: readonly Name[],
  query: Readonly<Record<string, string>>,
): FilterValues<Name> =>
  Object.fromEntries(names.map((name) => [name, Object.hasOwn(query, name) ? query[name] : ''])) as FilterValues<Name>

/** The URL with one filter changed; the rest of its query stays, an empty value is left out. */
export function withFilter(url: string, changes: Readonly<Record<string, string>>): string {
  const { pathname, searchParams: params } = new URL(url, 'https://console')
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') params.delete(name)
    else params.set(name, value)
  }
  return params.size === 0 ? pathname : `${pathname}?${params}`
}

/** For a request: without empty values. */
export const givenFilters = <Name extends string>(values: FilterValues<Name>): Partial<FilterValues<Name>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as Partial<FilterValues<Name>>
