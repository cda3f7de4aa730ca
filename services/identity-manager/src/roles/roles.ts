import type { Role, RoleName, RoleScope } from '@bursar/contracts/identity-manager'
import { refuse } from '../errors'

/** A role and its scope. */
interface ScopedRole extends Role {
  scope: RoleScope
}

const id = (number: number): string => `01900000-0000-7000-a000-00000000000${number}`

/** decisions, Admin role. Their ids are the same in every deployment. */
export const roles: readonly ScopedRole[] = [
  { id: id(1), name: 'admin', scope: 'admin', permissions: ['*:*'] },
  {
    id: id(2),
    name: 'operator',
    scope: 'admin',
    permissions: ['*:read', 'transactions:review', 'transactions:approve', 'pfi:review'],
  },
  { id: id(3), name: 'viewer', scope: 'admin', permissions: ['*:read'] },
  {
    id: id(4),
    name: 'participant-admin',
    scope: 'participant',
    permissions: ['participant:read', 'participant:write', 'users:write', 'api-keys:write', 'transactions:write'],
  },
  {
    id: id(5),
    name: 'participant-user',
    scope: 'participant',
    permissions: ['participant:read', 'transactions:write'],
  },
  {
    id: id(6),
    name: 'custodian-admin',
    scope: 'custodian',
    permissions: ['custodian:read', 'custodian:write', 'users:write', 'transactions:read'],
  },
  { id: id(7), name: 'custodian-user', scope: 'custodian', permissions: ['custodian:read', 'transactions:read'] },
]

export const rolesOf = (scope: RoleScope): ScopedRole[] => roles.filter((role) => role.scope === scope)

/** The role as the API returns it. */
export const toRole = ({ id, name, permissions }: ScopedRole): Role => ({ id, name, permissions })

/** The owner of a user: a participant, a custodian bank, or neither for the administration. */
export interface Owner {
  participantId: string | null
  custodianId: string | null
}

/** The scope that a user's roles must be of. */
export const scopeOfOwner = ({ participantId, custodianId }: Owner): RoleScope =>
  participantId !== null ? 'participant' : custodianId !== null ? 'custodian' : 'admin'

/**
 * The requested roles for a user of this owner, without duplicates. Fails (400, naming the field that holds them) for an
 * unknown role, or one of another scope.
 */
export function chooseRoles(
  wanted: { ids?: readonly string[]; names?: readonly RoleName[] },
  owner: Owner,
  field = wanted.names?.length ? 'roleNames' : 'roleIds',
): RoleName[] {
  const { ids = [], names = [] } = wanted
  const allowed = rolesOf(scopeOfOwner(owner))
  const found = [
    ...ids.map((id) => allowed.find((role) => role.id === id.toLowerCase())),
    ...names.map((name) => allowed.find((role) => role.name === name)),
  ].map((role) => role?.name)
  const chosen = found.filter((name) => name !== undefined)
  if (chosen.length === 0 || chosen.length < found.length) {
    const what = field === 'roleId' ? 'a role' : 'roles'
    throw refuse(field, `must be ${what} of the scope ${scopeOfOwner(owner)}`)
  }
  return [...new Set(chosen)]
}
