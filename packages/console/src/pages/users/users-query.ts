import type { components } from '#types/identity-manager'
import { type List, useList } from '../../api/list'
import { useQuery } from '../../api/query'
import { dataOf, identity, main } from '../../api/services'
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
export const useUsers = (values: FilterValues<'q' | 'status' | 'role'>): List<User> =>
  useList<User>({
    key: ['users', values],
    page: async (after, limit, signal) => {
      const query = { ...givenFilters(values), after, limit, order: 'desc' as const }
      // The filters come from the URL: the service refuses values that it does not know.
      const answer = await dataOf(identity.GET('/users', { params: { query: query as never }, signal }))
      return { rows: answer.data, total: answer.pageInfo.total }
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
    staleTime: 300_000,
  })

/** The sessions of a user, newest first. */
export const useSessions = (userId: string) =>
  useQuery({
    queryKey: ['sessions', userId],
    queryFn: async ({ signal }) => {
      const { data } = await dataOf(identity.GET('/users/sessions', { params: { query: { userId } }, signal }))
      return data.toReversed()
    },
  })

/** A user's accounts at log-in providers. */
export const useProviderAccounts = (userId: string) =>
  useQuery({
    queryKey: ['provider-accounts', userId],
    queryFn: async ({ signal }) =>
      (await dataOf(identity.GET('/users/{userId}/provider-accounts', { params: { path: { userId } }, signal }))).data,
  })

/** Whether the current user may change this one: an administrator all, the admins of an institution its own. */
export const manages = ({ user }: Session, other: User): boolean =>
  user.roles.includes('admin') ||
  (user.roles.includes('participant-admin') && other.participantId === user.participantId) ||
  (user.roles.includes('custodian-admin') && other.custodianId === user.custodianId)
