import type { Log } from '@bursar/contracts/log'
import type { Client, Seal } from '@bursar/http'
import type { OpenStore } from '@bursar/store'
import type { ConsoleUser } from '../access/authenticate'
import type { Institutions } from '../access/institutions'
import type { Revocations } from '../access/revocations'
import type { Tokens, VerifiedToken } from '../access/tokens'
import { fail } from '../errors'
import type { SessionRow } from './console-sessions'
import type { SessionUser } from './console-sessions.table'

/** A session of the console whose user was verified for this request. */
export interface Session extends ConsoleUser {
  readonly row: SessionRow
}

/** The dependencies of sessions. */
export interface SessionDeps {
  readonly store: OpenStore
  readonly client: Client
  readonly tokens: Tokens
  readonly revocations: Revocations
  readonly institutions: Institutions
  /** Encrypts the tokens of sessions. */
  readonly sessionSeal: Seal
  readonly log: Log
  readonly now: () => Date
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

/** One answer for every problem of a cookie. */
export const loggedOut = () => fail('UNAUTHORIZED', { message: 'Log in to the console: the session has ended' })
