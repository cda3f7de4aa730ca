import { keptMs, useQuery } from './query'
import { dataOf, main, participant } from './services'

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
