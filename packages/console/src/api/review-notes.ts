import { keepPreviousData } from '@tanstack/query-core'
import { gathered } from './gathered'
import { request } from './http'
import { reread, useQuery } from './query'
import { useRequest } from './read'

/** Who is to decide about a transaction (GET /console/api/review/assignments). */
interface Assignment {
  transactionId: string
  userId: string
  assignedBy: string
  assignedAt: string
}

export interface Comment {
  id: string
  authorId: string
  text: string
  createdAt: string
}

interface Colleague {
  id: string
  name: string
}

const assignments = gathered(async (ids) => {
  const found = await request<Assignment[]>('/review/assignments', { query: { ids: ids.join(',') } })
  return new Map(found.map((each) => [each.transactionId, each]))
})

/** The assignments of a page share one request. */
export const useAssignment = (id: string) =>
  useQuery({
    queryKey: ['review-notes', 'assignment', id],
    queryFn: () => assignments(id),
    staleTime: 15_000,
  })

/** The assignments of a whole list. */
export const useAssignments = (ids: readonly string[]) =>
  useQuery({
    queryKey: ['review-notes', 'assignment', 'all', ids],
    queryFn: async () => (await Promise.all(ids.map(assignments))).flatMap((each) => each ?? []),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })

export const useComments = (id: string) =>
  useRequest<Comment[]>(['review-notes', 'comments', id], `/review/${id}/comments`, { refetchInterval: 15_000 })

/** Those who may decide and are logged in. */
export const useColleagues = (isEnabled: boolean) =>
  useRequest<Colleague[]>(['review-notes', 'colleagues'], '/review/colleagues', {
    staleTime: 30_000,
    enabled: isEnabled,
  })

const readAgain = (part: string) => reread(['review-notes', part])

/** Null for nobody. */
export async function assign(id: string, userId: string | null): Promise<void> {
  await request(`/review/${id}/assignee`, { method: 'PUT', body: { userId } })
  readAgain('assignment')
}

export async function addComment(id: string, text: string): Promise<void> {
  await request(`/review/${id}/comments`, { method: 'POST', body: { text } })
  readAgain('comments')
}
