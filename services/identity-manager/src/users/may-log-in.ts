import type { Db } from '@bursar/store'
import { hasEnded } from '../institutions/institutions'
import type { UserRow } from './users'

/**
 * Whether a user logs in, and its sessions go on: it is active, its institution has not ended, and it has a role. None is
 * what the provider (single sign-on) leaves to those from whom it has taken all of theirs.
 */
export const mayLogIn = async (
  db: Db,
  { status, roles, participantId }: Pick<UserRow, 'status' | 'roles' | 'participantId'>,
): Promise<boolean> => status === 'ACTIVE' && roles.length > 0 && !(await hasEnded(db, participantId))
