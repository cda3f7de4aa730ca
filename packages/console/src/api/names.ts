import { gathered } from './gathered'
import { useQuery } from './query'
import { account, core, dataOf, identity } from './services'

/** Names change seldom. */
const keptMs = 300_000

/** Every asset, by its id. */
export function useAssets() {
  return useQuery({
    queryKey: ['assets'],
    queryFn: () => dataOf(core.GET('/assets')),
    staleTime: keptMs,
    select: (assets) => new Map(assets.map((asset) => [asset.id, asset])),
  })
}

/** One account; what does not exist, or is not for this user, stays without a name. */
export const useAccount = (id: string | null | undefined) =>
  useQuery({
    queryKey: ['account', id],
    queryFn: ({ signal }) => dataOf(account.GET('/accounts/{id}', { params: { path: { id: id ?? '' } }, signal })),
    staleTime: keptMs,
    enabled: Boolean(id),
    retry: false,
  })

/** At most so many ids go into one question. */
const mostUsers = 100

const userNames = gathered(mostUsers, async (ids) => {
  const { data } = await dataOf(identity.GET('/users/usernames', { params: { query: { ids: ids.join(',') } } }))
  return new Map(data.map(({ id, name }) => [id, name]))
})

/** The name of a user; null for one that no longer exists. All that a page shows are asked for at once. */
export const useUserName = (id: string | null | undefined) =>
  useQuery({
    queryKey: ['user-name', id],
    queryFn: async () => (await userNames(id ?? '')) ?? null,
    staleTime: keptMs,
    enabled: Boolean(id),
    retry: false,
  })
