import type { operations } from '#types/main-api'
import { useRead } from '../../api/read'
import { type Answer, main, orNull, participant } from '../../api/services'
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

/** The registered institution with its review; null for a participant that never registered. */
export function useInstitution(id: string) {
  const isStaff = useCan('read')
  const read = (signal: AbortSignal): Promise<Answer<(Partial<Institution> & InstitutionRow) | null>> =>
    isStaff
      ? orNull(main.GET('/admin/pfi/{id}', { params: { path: { id } }, signal }))
      : orNull(main.GET('/participants/detail', { signal }))
  return useRead(['institution', id], read, {
    // After most acts its handovers are pending for a moment.
    refetchInterval: ({ state }) =>
      state.data?.invitation?.status === 'PENDING' || state.data?.admission?.status === 'PENDING' ? 3000 : 60_000,
  })
}

/** The participant with its customers; null for an institution that was never approved. */
export const useParticipant = (id: string, isEnabled = true) =>
  useRead(
    ['participant', id],
    (signal) => orNull(participant.GET('/participants/{id}', { params: { path: { id } }, signal })),
    { enabled: isEnabled },
  )

/** The customers of a participant: none of an institution that is no participant yet; undefined until they are read. */
export const customersIn = (of: ParticipantRecord | null | undefined) => (of === null ? [] : of?.customers)

/** An institution's accounts at custodian banks. */
export const useBankAccounts = (id: string | null) =>
  useRead(
    ['bank-accounts', id],
    (signal) => main.GET('/participants/{id}/accounts', { params: { path: { id: id ?? '' } }, signal }),
    { select: ({ data }) => data, enabled: id !== null },
  )
