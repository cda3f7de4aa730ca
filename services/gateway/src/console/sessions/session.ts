import type { Log } from '@bursar/contracts/log'
import type { Client, Seal } from '@bursar/http'
import type { OpenStore } from '@bursar/store'
import type { Institutions } from '../../credentials/institutions'
import type { Revocations } from '../../credentials/revocations'
import type { Tokens, VerifiedToken } from '../../credentials/tokens'
import { fail } from '../../errors'
import type { ConsoleUser } from '../../proxy/console-user'
import type { SessionRow } from './console-sessions'
import type { SessionUser } from './console-sessions.table'

/** A session of the console whose user was verified for this request. */
export interface Session extends ConsoleUser {
  readonly row: SessionRow
}

/** What sessions are kept with. */
export interface SessionDeps {
  readonly store: OpenStore
  readonly client: Client
  readonly tokens: Tokens
  readonly revocations: Revocations
  readonly institutions: Institutions
  readonly seal: Seal
  readonly log: Log
  readonly now: () => number
}

export const toSession = (row: SessionRow, { caller, sessionId, mustEnrol }: VerifiedToken): Session => ({
  row,
  caller,
  sessionId,
  mustEnrol,
  verifiedAt: row.verifiedAt,
  counted: `user:${caller.subject}`,
})

export const toSessionUser = ({ id, email, name, roles, participantId, custodianId }: SessionUser): SessionUser => ({
  id,
  email,
  name,
  roles,
  participantId,
  custodianId,
})

/** One answer for whatever is wrong with a cookie. */
export const loggedOut = () => fail('UNAUTHORIZED', { message: 'Log in to the console: the session has ended' })
