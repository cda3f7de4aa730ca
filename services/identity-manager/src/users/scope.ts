import type { RoleName } from '@bursar/contracts/identity-manager'
import type { Caller, Identity } from '@bursar/http'
import type { Db } from '@bursar/store'
import { fail, refuse } from '../errors'
import { chooseRoles, type Owner, roles, rolesOf } from '../roles/roles'
import { getUser, type UserRow } from './users'

/** The users that a request may see and change. */
export interface Scope {
  caller: Caller | null
  /** `all`: for administrators, services, and callers on this machine without the gateway (spec 3, Authentication). */
  of: 'all' | 'participant' | 'custodian' | 'none'
  /** The participant or the custodian bank; both null for `all` and `none`. */
  owner: Owner
  /**
   * The roles that the caller may grant, and whose users it may change; none for callers that are not admins of their
   * owner.
   */
  grants: ReadonlySet<RoleName>
}

const nobodys: Owner = { participantId: null, custodianId: null }
const staff = new Set<string>(rolesOf('admin').map(({ name }) => name))
const everyRole = new Set(roles.map(({ name }) => name))

/** The scope of the caller. Fails with 401 for an anonymous caller through the gateway. */
export async function scopeOf(identity: Identity, request: Request): Promise<Scope> {
  const caller = await identity.read(request)
  if (caller?.kind === 'anonymous') throw fail('UNAUTHORIZED', { message: 'Log in first' })
  if (caller === null || caller.kind === 'service' || caller.roles.includes('admin')) {
    return { caller, of: 'all', owner: nobodys, grants: everyRole }
  }
  const { participantId, custodianId = null } = caller
  const owner = { participantId, custodianId: participantId === null ? custodianId : null }
  const of = participantId !== null ? 'participant' : custodianId !== null ? 'custodian' : 'none'
  return { caller, of, owner, grants: of === 'none' ? new Set() : grantsOf(caller, of) }
}

/**
 * The names that a caller sees: staff sees all, because the action log names anybody; others see the users of their
 * owner.
 */
export async function namesScope(identity: Identity, request: Request): Promise<Scope> {
  const scope = await scopeOf(identity, request)
  const isStaff = scope.of === 'none' && scope.caller?.roles.some((name) => staff.has(name))
  return isStaff ? { ...scope, of: 'all' } : scope
}

/** An API key acts for the whole participant; of its users only the admins do. */
function grantsOf({ kind, roles: held }: Caller, of: 'participant' | 'custodian'): Set<RoleName> {
  const isAdmin = kind === 'participant' || held.includes(`${of}-admin`)
  return new Set(isAdmin ? rolesOf(of).map(({ name }) => name) : [])
}

/** The calling user. Fails with 401 when the caller is not a user. */
export async function requireUser(identity: Identity, request: Request): Promise<Caller> {
  const caller = await identity.read(request)
  if (caller?.kind === 'user') return caller
  throw fail('UNAUTHORIZED', { message: 'Log in first: this is about the user that calls' })
}

/** The owner of a new user. Fails (404) when the caller may not choose it. */
export function ownerOf({ of, owner }: Scope, { participantId = null, custodianId = null }: Partial<Owner>): Owner {
  if (of === 'all') return { participantId, custodianId }
  const isOwn = (given: string | null, own: string | null) => given === null || given === own
  if (isOwn(participantId, owner.participantId) && isOwn(custodianId, owner.custodianId)) return owner
  throw fail('NOT_FOUND', { message: 'Participant or custodian bank not found' })
}

/** The role, as a list, that the caller grants to a user of this owner. Fails (400) when it may not. */
export function grantedRoles(scope: Scope, owner: Owner, roleId: string): string[] {
  const chosen = chooseRoles({ ids: [roleId] }, owner, 'roleId')
  if (chosen.every((name) => scope.grants.has(name))) return [roleId]
  throw refuse('roleId', 'is a role that you may not give')
}

/** A user that the caller manages. Fails (404) for all others: 403 is not implemented (spec 3, Authentication). */
export async function managedUser(db: Db, scope: Scope, id: string): Promise<UserRow> {
  const user = await getUser(db, id)
  if (manages(scope, user)) return user
  throw fail('NOT_FOUND')
}

/** The caller itself, or a user that it manages. Fails (404) for all others. */
export async function ownOrManagedUser(db: Db, scope: Scope, id: string): Promise<UserRow> {
  const user = await getUser(db, id)
  if (isCaller(scope, user) || manages(scope, user)) return user
  throw fail('NOT_FOUND')
}

/**
 * Refuses (400) fields that users may not change themselves: with a stolen session one could take over the account by
 * changing its address.
 */
export function requireManaged(scope: Scope, user: UserRow, changes: Readonly<Record<string, unknown>>): void {
  const field = Object.keys(changes).find((name) => name !== 'name' && changes[name] !== undefined)
  if (field !== undefined && !manages(scope, user)) throw refuse(field, 'can be changed by an administrator only')
}

/** Whoever grants nothing manages nobody, also none whose roles the provider has removed. */
const manages = (scope: Scope, user: UserRow): boolean =>
  isIn(scope, user) && scope.grants.size > 0 && user.roles.every((name) => scope.grants.has(name))

const isIn = ({ of, owner }: Scope, user: Owner): boolean =>
  of === 'all' ||
  (of === 'participant' && user.participantId === owner.participantId) ||
  (of === 'custodian' && user.custodianId === owner.custodianId)

const isCaller = ({ caller }: Scope, { id }: UserRow): boolean => caller?.kind === 'user' && caller.subject === id
