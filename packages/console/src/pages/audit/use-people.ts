import { useRef } from 'preact/hooks'
import { useUserNames } from '../../api/names'
import { useColleagues } from '../../api/review-notes'
import { isUuid } from '../../format/words'
import type { AuditAct } from './audit-query'

export interface Person {
  id: string
  name: string
}

const mostPeople = 100

/** Whose acts can be chosen: colleagues at work, those seen in the trail so far, and the one that is chosen. */
export function usePeople(rows: readonly AuditAct[] | undefined, chosen: string): Person[] {
  const seen = useRef(new Set<string>()).current
  for (const { actor } of rows ?? []) if (isUuid(actor) && seen.size < mostPeople) seen.add(actor)
  if (isUuid(chosen)) seen.add(chosen)
  const names = useUserNames([...seen].sort())
  const { data: colleagues = [] } = useColleagues(true)
  const known = new Map([...colleagues, ...(names.data ?? [])].map(({ id, name }) => [id, name]))
  return [...known].map(([id, name]) => ({ id, name })).sort((one, other) => one.name.localeCompare(other.name))
}
