import { gathered } from './gathered'
import { useQuery } from './query'
import { account, core, dataOf, identity, main, participant } from './services'

/** Names rarely change. */
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

/** One account; it has no name if it does not exist or is not visible to this user. */
export const useAccount = (id: string | null | undefined) =>
  useQuery({
    queryKey: ['account', id],
    queryFn: ({ signal }) => dataOf(account.GET('/accounts/{id}', { params: { path: { id: id ?? '' } }, signal })),
    staleTime: keptMs,
    enabled: Boolean(id),
    retry: false,
  })

/** The most ids of one request. */
const mostUsers = 100

const userNames = gathered(mostUsers, async (ids) => {
  const { data } = await dataOf(identity.GET('/users/usernames', { params: { query: { ids: ids.join(',') } } }))
  return new Map(data.map(({ id, name }) => [id, name]))
})

/** The name of a user; null if it no longer exists. The names on a page share one request. */
export const useUserName = (id: string | null | undefined) =>
  useQuery({
    queryKey: ['user-name', id],
    queryFn: async () => (await userNames(id ?? '')) ?? null,
    staleTime: keptMs,
    enabled: Boolean(id),
    retry: false,
  })

/** For staff: the name of an institution. The participant service alone knows those that never registered. */
export const useInstitutionName = (id: string | null | undefined) =>
  useQuery({
    queryKey: ['institution-name', id],
    queryFn: async ({ signal }) => {
      const path = { params: { path: { id: id ?? '' } }, signal }
      const registered = await dataOf(main.GET('/admin/pfi/{id}', path)).catch(() => null)
      return registered?.name ?? (await dataOf(participant.GET('/participants/{id}', path))).institutionName
    },
    staleTime: keptMs,
    enabled: Boolean(id),
    retry: false,
  })

/** The institutions or the active custodian banks, by name. */
export const useOrganisations = (kind: 'participant' | 'custodian', isEnabled = true) =>
  useQuery({
    queryKey: ['organisations', kind],
    queryFn: async ({ signal }): Promise<{ id: string; name: string }[]> => {
      if (kind === 'custodian') return (await dataOf(main.GET('/custodians', { signal }))).data
      return (await dataOf(main.GET('/admin/pfi', { params: { query: { limit: 100 } }, signal }))).data
    },
    staleTime: 60_000,
    enabled: isEnabled,
  })
