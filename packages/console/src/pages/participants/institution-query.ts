import type { operations } from '#types/main-api'
import type { ApiError } from '../../api/api-error'
import { useQuery } from '../../api/query'
import { dataOf, main, participant } from '../../api/services'
import { useCan } from '../../api/session'

export type Institution = operations['getPfiParticipant']['responses'][200]['content']['application/json']
export type InstitutionRow =
  operations['listPfiParticipants']['responses'][200]['content']['application/json']['data'][number]
export type InstitutionStatus = InstitutionRow['status']
export type ParticipantRecord = NonNullable<ReturnType<typeof useParticipant>['data']>

export const institutionStatuses: readonly InstitutionStatus[] = [
  'NOT_STARTED',
  'UNDER_REVIEW',
  'APPROVED',
  'PAUSED',
  'REJECTED',
  'OFFBOARDED',
]

/** Null for a 404, which is not a failure here. */
const orNull = (error: ApiError): null => {
  if (error.status === 404) return null
  throw error
}

/** The registered institution with its review; null for a participant that never registered. */
export function useInstitution(id: string) {
  const isStaff = useCan('read')
  return useQuery({
    queryKey: ['institution', id],
    queryFn: async ({ signal }): Promise<(Partial<Institution> & InstitutionRow) | null> =>
      isStaff
        ? await dataOf(main.GET('/admin/pfi/{id}', { params: { path: { id } }, signal })).catch(orNull)
        : await dataOf(main.GET('/participants/detail', { signal })).catch(orNull),
    // After most acts its handovers are pending for a moment.
    refetchInterval: ({ state }) =>
      state.data?.invitation?.status === 'PENDING' || state.data?.admission?.status === 'PENDING' ? 3000 : 60_000,
  })
}

/** The participant with its customers; null for an institution that was never approved. */
export const useParticipant = (id: string, isEnabled = true) =>
  useQuery({
    queryKey: ['participant', id],
    queryFn: ({ signal }) =>
      dataOf(participant.GET('/participants/{id}', { params: { path: { id } }, signal })).catch(orNull),
    enabled: isEnabled,
  })

/** An institution's accounts at custodian banks. */
export const useBankAccounts = (id: string | null) =>
  useQuery({
    queryKey: ['bank-accounts', id],
    queryFn: async ({ signal }) =>
      (await dataOf(main.GET('/participants/{id}/accounts', { params: { path: { id: id ?? '' } }, signal }))).data,
    enabled: id !== null,
  })
