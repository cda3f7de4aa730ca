import type { components } from '#types/identity-manager'
import { useList } from '../../api/list'
import { keptMs, useQuery } from '../../api/query'
import { useRead } from '../../api/read'
import { bodyPageOf, dataOf, identity, main } from '../../api/services'
import type { Session } from '../../api/session'
import { type FilterValues, givenFilters } from '../../format/filters'

export type User = components['schemas']['KnownUser']
export type UserSession = components['schemas']['Session']
export type Role = components['schemas']['Role']

/** The organisation of a user, which determines the possible roles. */
export type Scope = 'admin' | 'participant' | 'custodian'

export const scopeOf = ({ participantId, custodianId }: Pick<User, 'participantId' | 'custodianId'>): Scope =>
  participantId !== null ? 'participant' : custodianId !== null ? 'custodian' : 'admin'

/** The users that the current user may see, newest first. */
export const useUsers = (values: FilterValues<'q' | 'status' | 'role'>) =>
  useList<User>({
    key: ['users', values],
    page: (after, limit, signal) => {
      const query = { ...givenFilters(values), after, limit, order: 'desc' as const }
      // The filters come from the URL: the service refuses values that it does not know.
      return bodyPageOf(identity.GET('/users', { params: { query: query as never }, signal }))
    },
  })

const admins: readonly string[] = ['admin', 'operator', 'viewer']

async function rolesOf(scope: Scope, signal: AbortSignal): Promise<Role[]> {
  if (scope === 'participant') return (await dataOf(identity.GET('/users/participant-roles', { signal }))).data
  if (scope === 'custodian') return (await dataOf(identity.GET('/users/custodian-roles', { signal }))).data
  const { data } = await dataOf(main.GET('/admin/roles', { signal }))
  return data.filter(({ name }) => admins.includes(name))
}

/** The roles of a scope, the weakest first, so that nobody becomes an admin by mistake. */
export const useRoles = (scope: Scope) =>
  useQuery({
    queryKey: ['roles', scope],
    queryFn: async ({ signal }): Promise<Role[]> => (await rolesOf(scope, signal)).toReversed(),
    staleTime: keptMs,
  })

/** The sessions of a user, newest first. */
export const useSessions = (userId: string) =>
  useRead(
    ['sessions', userId],
    (signal) => identity.GET('/users/sessions', { params: { query: { userId } }, signal }),
    { select: ({ data }) => data.toReversed() },
  )

/** A user's accounts at log-in providers. */
export const useProviderAccounts = (userId: string) =>
  useRead(
    ['provider-accounts', userId],
    (signal) => identity.GET('/users/{userId}/provider-accounts', { params: { path: { userId } }, signal }),
    { select: ({ data }) => data },
  )

/** Whether the current user may change this one: an administrator all, the admins of an institution its own. */
export const manages = ({ user }: Session, other: User): boolean =>
  user.roles.includes('admin') ||
  (user.roles.includes('participant-admin') && other.participantId === user.participantId) ||
  (user.roles.includes('custodian-admin') && other.custodianId === user.custodianId)
