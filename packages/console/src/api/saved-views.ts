import { request } from './http'
import { reread } from './query'
import { useRequest } from './read'

/** Filters of a list by a name (GET /console/api/desk/views). */
export interface SavedView {
  id: string
  name: string
  /** The query of its URL, without the question mark. */
  query: string
  ownerId: string
  isShared: boolean
}

const key = (page: string) => ['saved-views', page]

/** This user's views of a list, and those for everybody. */
export const useSavedViews = (page: string, isEnabled: boolean) =>
  useRequest<SavedView[]>(key(page), '/desk/views', { query: { page }, staleTime: 60_000, enabled: isEnabled })

export async function saveView(page: string, view: Pick<SavedView, 'name' | 'query' | 'isShared'>): Promise<void> {
  await request('/desk/views', { method: 'POST', body: { page, ...view } })
  reread(key(page))
}

export async function deleteView(page: string, id: string): Promise<void> {
  await request(`/desk/views/${id}`, { method: 'DELETE' })
  reread(key(page))
}
