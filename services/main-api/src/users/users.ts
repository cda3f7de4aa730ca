import {
  changeUser,
  deleteUser,
  getUser,
  inviteUser,
  listUsers,
  type User,
  type UserChanges,
} from '@bursar/contracts/identity-manager'
import type { Client } from '@bursar/http'
import { fail } from '../errors'
import { passOn } from '../peers'
import type { NewUser, UserQuery } from './users.model'

/** The scope of users: those of a custodian bank, or all for the administration. */
interface UserScope {
  readonly custodianId?: string
}

/** A page of the users of a scope, or of a participant, oldest first. */
export const pageOfUsers = (client: Client, { limit, offset }: UserQuery, of: UserScope | { participantId: string }) =>
  passOn(client.call(listUsers, { query: { limit: String(limit), offset: String(offset), ...of } }))

/** Invites a user of the scope by mail. Fails with 400 for a role of another scope, 409 when the address is taken. */
export const createUser = (
  client: Client,
  user: NewUser,
  { custodianId = null }: { custodianId?: string | null },
  key: { idempotencyKey?: string },
): Promise<User> => passOn(client.call(inviteUser, { body: { ...user, participantId: null, custodianId }, ...key }))

/** Fails (404) also for a user of another custodian bank. */
export async function readUser(client: Client, id: string, { custodianId }: UserScope): Promise<User> {
  const user = await client.find(getUser, { params: { id } })
  if (!user || (custodianId !== undefined && user.custodianId !== custodianId)) {
    throw fail('NOT_FOUND', { message: 'User not found' })
  }
  return user
}

/** Changes a user of the scope. Fails with 404, with 409 when the address is taken, 400 for a role of another scope. */
export async function updateUser(client: Client, id: string, body: UserChanges, scope: UserScope): Promise<User> {
  // A user's custodian bank never changes: so it cannot change between this check and the update.
  if (scope.custodianId !== undefined) await readUser(client, id, scope)
  return await passOn(client.call(changeUser, { params: { id }, body }))
}

/** Deletes a user of the scope and ends its sessions. Fails with 404, and with 409 for the last administrator. */
export async function removeUser(client: Client, id: string, scope: UserScope): Promise<void> {
  if (scope.custodianId !== undefined) await readUser(client, id, scope)
  await passOn(client.call(deleteUser, { params: { id } }))
}
