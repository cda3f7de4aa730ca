import { useRef } from 'preact/hooks'
import { useQuery } from '../../api/query'
import { useColleagues } from '../../api/review-notes'
import { dataOf, identity } from '../../api/services'
import { isUuid } from '../../format/words'
import type { AuditAct } from './audit-query'

export interface Person {
  id: string
  name: string
}

/** The most ids of one request. */
const mostIds = 100

/** Whose acts can be chosen: colleagues at work, those seen in the trail so far, and the one that is chosen. */
export function usePeople(rows: readonly AuditAct[] | undefined, chosen: string): Person[] {
  const seen = useRef(new Set<string>()).current
  for (const { actor } of rows ?? []) if (isUuid(actor) && seen.size < mostIds) seen.add(actor)
  if (isUuid(chosen)) seen.add(chosen)
  const ids = [...seen].sort().join(',')
  const names = useQuery({
    queryKey: ['user-names', ids],
    queryFn: async ({ signal }) =>
      (await dataOf(identity.GET('/users/usernames', { params: { query: { ids } }, signal }))).data,
    enabled: ids !== '',
    placeholderData: (before) => before,
    staleTime: 300_000,
  })
  const { data: colleagues = [] } = useColleagues(true)
  const known = new Map([...colleagues, ...(names.data ?? [])].map(({ id, name }) => [id, name]))
  return [...known].map(([id, name]) => ({ id, name })).sort((one, other) => one.name.localeCompare(other.name))
}
