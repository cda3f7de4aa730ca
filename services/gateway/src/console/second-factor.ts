import { nullable, t } from '@bursar/contracts/schema'
import { AppError } from '@bursar/http'
import { Value } from '@sinclair/typebox/value'
import type { Arrival } from '../console-sessions/arrivals'
import { noteVerified } from '../console-sessions/console-sessions'
import type { Session } from '../console-sessions/session'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { askIdentity } from './ask-identity'

interface Asking {
  request: Request
  arrival: Arrival
  session: Session
}

/** The proof of a second factor: a code, or a passkey's signature. */
export interface Proof {
  code?: string
  passkey?: Record<string, unknown>
}

const Options = t.Object({ data: t.Record(t.String(), t.Unknown()) })
const Codes = t.Object({ data: t.Object({ recoveryCodes: t.Array(t.String()) }) })
const Added = t.Object({ data: t.Object({ recoveryCodes: nullable(t.Array(t.String())) }) })

/** The challenge for a passkey in the second step of a log-in. Fails as the identity manager does. */
export async function logInOptions(
  deps: GatewayDeps,
  request: Request,
  arrival: Arrival,
  body: { challenge: string },
): Promise<Record<string, unknown>> {
  const answer = await askIdentity(deps, { request, arrival, path: '/auth/mfa/options', body })
  if (!Value.Check(Options, answer)) throw fail('UPSTREAM_ERROR')
  return answer.data
}

/** Sets up the authenticator by its first code. The session continues, with its full rights from now on. */
export async function confirmSecondFactor(
  deps: GatewayDeps,
  asking: Asking,
  code: string,
): Promise<{ session: Session; recoveryCodes: string[] }> {
  const answer = await shown(deps, asking, '/users/mfa/totp/confirm', { code }).catch(refuseWrong('code'))
  if (!Value.Check(Codes, answer)) throw fail('UPSTREAM_ERROR')
  return { session: await deps.sessions.renew(asking.session), recoveryCodes: answer.data.recoveryCodes }
}

/** Adds a passkey created by the browser, as above; recovery codes come only with the first second factor. */
export async function addPasskey(
  deps: GatewayDeps,
  asking: Asking,
  made: { name: string; response: Record<string, unknown> },
): Promise<{ session: Session; recoveryCodes: string[] | null }> {
  const answer = await shown(deps, asking, '/users/mfa/passkeys', made)
  if (!Value.Check(Added, answer)) throw fail('UPSTREAM_ERROR')
  return { session: await deps.sessions.renew(asking.session), recoveryCodes: answer.data.recoveryCodes }
}

/** Verifies the second factor, which then counts for five minutes. Fails (400) for a wrong one. */
export async function verifySecondFactor(deps: GatewayDeps, asking: Asking, proof: Proof): Promise<void> {
  await shown(deps, asking, '/users/mfa/verify', proof).catch(refuseWrong(proof.passkey ? 'passkey' : 'code'))
}

/** Calls a route that verifies the second factor, and records the verification in the session. */
async function shown(
  deps: GatewayDeps,
  { request, arrival, session }: Asking,
  path: string,
  body: object,
): Promise<unknown> {
  const answer = await askIdentity(deps, { request, arrival, session, path, body })
  await deps.store.commit((tx) => noteVerified(tx, session.row.id, new Date(deps.sessionDeps.now())))
  return answer
}

/** A 401 would mean that the session has ended. */
const refuseWrong =
  (field: string) =>
  (error: unknown): never => {
    if (!(error instanceof AppError) || error.status !== 401) throw error
    throw fail('INVALID_REQUEST', { message: error.message, fields: [{ field, message: error.message }] })
  }
