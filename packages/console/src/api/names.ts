import { keepPreviousData } from '@tanstack/query-core'
import { gathered } from './gathered'
import { keptMs, queries, useQuery } from './query'
import { useRead } from './read'
import { account, core, dataOf, identity } from './services'

export type Asset = Awaited<ReturnType<typeof readAssets>>[number]
const readAssets = () => dataOf(core.GET('/assets'))

/** One function: what it makes is made once for all who ask. */
const byId = (assets: readonly Asset[]) => new Map(assets.map((asset) => [asset.id, asset]))

/** Every asset, by its id. */
export function useAssets() {
  return useQuery({
    queryKey: ['assets'],
    queryFn: readAssets,
    staleTime: keptMs,
    select: byId,
  })
}

/** One account; it has no name if it does not exist or is not visible to this user. */
export const useAccount = (id: string | null | undefined) =>
  useRead(['account', id], (signal) => account.GET('/accounts/{id}', { params: { path: { id: id ?? '' } }, signal }), {
    staleTime: keptMs,
    enabled: Boolean(id),
    retry: false,
  })

const userNames = gathered(async (ids) => {
  const { data } = await dataOf(identity.GET('/users/usernames', { params: { query: { ids: ids.join(',') } } }))
  return new Map(data.map(({ id, name }) => [id, name]))
})

const userName = (id: string) => ({
  queryKey: ['user-name', id],
  queryFn: () => userNames(id),
  staleTime: keptMs,
  retry: false,
})

/** The name of a user; null if it no longer exists. The names on a page share one request. */
export const useUserName = (id: string | null | undefined) => useQuery({ ...userName(id ?? ''), enabled: Boolean(id) })

/** The names of several, of those that exist. */
export const useUserNames = (ids: readonly string[]) =>
  useQuery({
    queryKey: ['user-names', ids],
    queryFn: () => Promise.all(ids.map(async (id) => ({ id, name: await queries.fetchQuery(userName(id)) }))),
    select: (found) => found.flatMap(({ id, name }) => (name === null ? [] : [{ id, name }])),
    placeholderData: keepPreviousData,
    enabled: ids.length > 0,
  })
