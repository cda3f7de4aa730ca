import type { Db } from '@bursar/store'
import { hasEnded } from '../institutions/institutions'
import type { UserRow } from './users'

/**
 * Whether a user may log in, and its sessions stay live: it is active, its institution has not ended, and it has a
 * role. A user has no role after the provider (single sign-on) has removed all of them.
 */
export const mayLogIn = async (
  db: Db,
  { status, roles, participantId }: Pick<UserRow, 'status' | 'roles' | 'participantId'>,
): Promise<boolean> => status === 'ACTIVE' && roles.length > 0 && !(await hasEnded(db, participantId))
