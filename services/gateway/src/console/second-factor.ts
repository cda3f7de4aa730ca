import { nullable, type Static, type TSchema, t } from '@bursar/contracts/schema'
import { AppError } from '@bursar/http'
import { Value } from '@sinclair/typebox/value'
import { noteVerified } from '../console-sessions/console-sessions'
import type { Session } from '../console-sessions/session'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { type Asking, askIdentity, type Question } from './ask-identity'

/** The proof of a second factor: a code, or a passkey's signature. */
export interface Proof {
  code?: string
  passkey?: Record<string, unknown>
}

const Codes = t.Object({ data: t.Object({ recoveryCodes: t.Array(t.String()) }) })
const Added = t.Object({ data: t.Object({ recoveryCodes: nullable(t.Array(t.String())) }) })

/** Sets up the authenticator by its first code. The session continues, with its full rights from now on. */
export async function confirmSecondFactor(
  deps: GatewayDeps,
  asking: Asking,
  code: string,
): Promise<{ session: Session; recoveryCodes: string[] }> {
  const path = '/users/mfa/totp/confirm'
  const { data } = await shown(deps, { ...asking, path, body: { code } }, Codes).catch(refuseWrong('code'))
  return { session: await deps.sessions.renew(asking.session), recoveryCodes: data.recoveryCodes }
}

/** Adds a passkey created by the browser, as above; recovery codes come only with the first second factor. */
export async function addPasskey(
  deps: GatewayDeps,
  asking: Asking,
  made: { name: string; response: Record<string, unknown> },
): Promise<{ session: Session; recoveryCodes: string[] | null }> {
  const { data } = await shown(deps, { ...asking, path: '/users/mfa/passkeys', body: made }, Added)
  return { session: await deps.sessions.renew(asking.session), recoveryCodes: data.recoveryCodes }
}

/** Verifies the second factor, which then counts for five minutes. Fails (400) for a wrong one. */
export async function verifySecondFactor(deps: GatewayDeps, asking: Asking, proof: Proof): Promise<void> {
  const question = { ...asking, path: '/users/mfa/verify', body: proof }
  await shown(deps, question, t.Unknown()).catch(refuseWrong(proof.passkey ? 'passkey' : 'code'))
}

/** Calls a route that verifies the second factor, and records the verification in the session. */
async function shown<S extends TSchema>(deps: GatewayDeps, question: Question & Asking, form: S): Promise<Static<S>> {
  const { body } = await askIdentity(deps, question)
  const { id } = question.session.row
  await deps.store.commit((tx) => noteVerified(tx).execute({ id, verifiedAt: deps.now() }))
  if (!Value.Check(form, body)) throw fail('UPSTREAM_ERROR')
  return body
}

/** A 401 would mean that the session has ended. */
export const refuseWrong =
  (field: string, words?: string) =>
  (error: unknown): never => {
    if (!(error instanceof AppError) || error.status !== 401) throw error
    const message = words ?? error.message
    throw fail('INVALID_REQUEST', { message, fields: [{ field, message }] })
  }
