import { t } from '@bursar/contracts/schema'
import { AppError } from '@bursar/http'
import { Value } from '@sinclair/typebox/value'
import type { GatewayDeps } from '../../deps'
import { fail } from '../../errors'
import type { Arrival } from '../sessions/arrivals'
import { noteVerified } from '../sessions/console-sessions'
import type { Session } from '../sessions/session'
import { askIdentity } from './ask-identity'

interface Asking {
  request: Request
  arrival: Arrival
  session: Session
}

const Codes = t.Object({ data: t.Object({ recoveryCodes: t.Array(t.String()) }) })

/** Sets up the authenticator by its first code. The session goes on, and may do from now on what it may. */
export async function confirmSecondFactor(
  deps: GatewayDeps,
  { request, arrival, session }: Asking,
  code: string,
): Promise<{ session: Session; recoveryCodes: string[] }> {
  const path = '/users/mfa/totp/confirm'
  const answer = await askIdentity(deps, { request, arrival, session, path, body: { code } }).catch(refuseWrong)
  if (!Value.Check(Codes, answer)) throw fail('UPSTREAM_ERROR')
  await deps.store.commit((tx) => noteVerified(tx, session.row.id, new Date(deps.sessionDeps.now())))
  return { session: await deps.sessions.renew(session), recoveryCodes: answer.data.recoveryCodes }
}

/** Takes a code: what needs one may be done for five minutes. Fails (400) for a wrong one. */
export async function verifySecondFactor(
  deps: GatewayDeps,
  { request, arrival, session }: Asking,
  code: string,
): Promise<void> {
  const path = '/users/mfa/verify'
  await askIdentity(deps, { request, arrival, session, path, body: { code } }).catch(refuseWrong)
  await deps.store.commit((tx) => noteVerified(tx, session.row.id, new Date(deps.sessionDeps.now())))
}

/** 401 would say that the session has ended. */
function refuseWrong(error: unknown): never {
  if (!(error instanceof AppError) || error.status !== 401) throw error
  throw fail('INVALID_REQUEST', { message: error.message, fields: [{ field: 'code', message: error.message }] })
}
