import { idempotencyKeys, needsSecret, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { IdentityManagerDeps } from '../deps'
import { Done, done, withSecret } from '../done'
import { fail } from '../errors'
import {
  beginEnrolment,
  confirmEnrolment,
  findAuthenticator,
  mustHaveSecondFactor,
  newRecoveryCodes,
  recoveryCodesLeft,
  removeAuthenticator,
  removeSecondFactor,
  requireNoAuthenticator,
} from '../second-factor/authenticators'
import { passkeysOf } from '../second-factor/passkeys'
import { base32, otpauthUri } from '../second-factor/totp'
import { endSessionsOf } from '../sessions/sessions'
import { managedUser, requireUser, scopeOf } from '../users/scope'
import { getUser } from '../users/users'
import { ByUserId } from '../users/users.model'
import {
  Code,
  Enrolment,
  PasswordAndProof,
  ProofBody,
  RecoveryCodes,
  SecondFactor,
  Verified,
} from './second-factor.model'
import { withProof, withTaken } from './with-code'
import { type CallingUser, withBothProofs, withOwnProof } from './with-own-proof'

const issuer = 'Bursar'
const wrong = {
  401: 'The request has no user, or the password or the code is wrong',
  429: 'Five attempts have failed within five minutes',
}

/** Not in the specification: the second factor of the calling user. */
export const secondFactorRoutes = (deps: IdentityManagerDeps) =>
  new Elysia().use(enrolmentRoutes(deps)).use(codeRoutes(deps)).use(managerRoutes(deps))

/** The calling user. Fails with 401 when the caller is not a user. */
export async function callerOf({ store, identity }: IdentityManagerDeps, request: Request): Promise<CallingUser> {
  const { subject, sessionId = null } = await requireUser(identity, request)
  return { ...(await getUser(store.read, subject)), callingSession: sessionId }
}

function enrolmentRoutes(deps: IdentityManagerDeps) {
  const { store, now, seal, config } = deps
  return new Elysia({ prefix: '/users', tags: ['Second factor'] })
    .get(
      '/mfa',
      async ({ request }) => {
        const user = await callerOf(deps, request)
        const row = await findAuthenticator(store.read, user.id)
        return {
          data: {
            totp: row?.confirmedAt != null,
            passkeys: (await passkeysOf(store.read, user.id)).length,
            confirmedAt: row?.confirmedAt?.toISOString() ?? null,
            recoveryCodesLeft: await recoveryCodesLeft(store.read, user.id),
            hasPassword: user.passwordHash !== null,
            required: mustHaveSecondFactor(config, user),
          },
        }
      },
      {
        response: { 200: response(SecondFactor) },
        detail: operation('getSecondFactor', 'Get whether the caller has a second factor', {
          ...needsSecret,
          401: 'The request has no user',
        }),
      },
    )
    .post(
      '/mfa/totp',
      async ({ request, set, body }) => {
        const user = await callerOf(deps, request)
        await requireNoAuthenticator(store.read, user.id)
        const secret = await withOwnProof(deps, user, body, (tx) => beginEnrolment(tx, seal, user.id, now()))
        set.status = 201
        return { data: { secret: base32(secret), otpauthUri: otpauthUri(secret, user.email, issuer) } }
      },
      {
        body: PasswordAndProof,
        response: { 201: response(Enrolment) },
        detail: operation('enrolAuthenticator', 'Begin to set up an authenticator (TOTP, RFC 6238)', {
          description: 'It is active after its first correct code. Beginning again voids the previous secret.',
          ...withSecret,
          ...wrong,
          409: 'A second factor is already set up',
        }),
      },
    )
    .post(
      '/mfa/totp/confirm',
      async ({ request, body: { code } }) => {
        const user = await callerOf(deps, request)
        const recoveryCodes = await withTaken(deps, user, {}, (tx) => confirmEnrolment(tx, deps, user.id, code, now()))
        return { data: { recoveryCodes } }
      },
      {
        body: Code,
        response: { 200: response(RecoveryCodes) },
        detail: operation('confirmAuthenticator', 'Confirm the authenticator by its first code', {
          description: 'Answers ten recovery codes, which are shown only once.',
          ...withSecret,
          ...wrong,
          409: 'No authenticator awaits its first code',
        }),
      },
    )
}

function codeRoutes(deps: IdentityManagerDeps) {
  const { now } = deps
  return new Elysia({ prefix: '/users', tags: ['Second factor'] })
    .post(
      '/mfa/totp/remove',
      async ({ request, body }) => {
        const user = await callerOf(deps, request)
        await withBothProofs(deps, user, body, (tx) => removeAuthenticator(tx, user.id))
        return done('The second factor is removed')
      },
      {
        body: PasswordAndProof,
        response: { 200: response(Done) },
        detail: operation('removeAuthenticator', 'Remove the authenticator and the recovery codes', {
          ...withSecret,
          ...wrong,
        }),
      },
    )
    .post(
      '/mfa/recovery-codes',
      async ({ request, body }) => {
        const user = await callerOf(deps, request)
        const recoveryCodes = await withBothProofs(deps, user, body, (tx) => newRecoveryCodes(tx, user.id, now()))
        return { data: { recoveryCodes } }
      },
      {
        body: PasswordAndProof,
        response: { 200: response(RecoveryCodes) },
        detail: operation('renewRecoveryCodes', 'Get new recovery codes; earlier ones become void', {
          ...withSecret,
          ...wrong,
        }),
      },
    )
    .post(
      '/mfa/verify',
      async ({ request, body: proof }) => {
        const user = await callerOf(deps, request)
        const verifiedAt = await withProof(deps, user, { proof }, async () => now().toISOString())
        return { data: { verifiedAt } }
      },
      {
        body: ProofBody,
        response: { 200: response(Verified) },
        detail: operation('verifySecondFactor', 'Verify the caller’s second factor again', {
          ...withSecret,
          ...wrong,
        }),
      },
    )
}

function managerRoutes({ store, identity, now }: IdentityManagerDeps) {
  return new Elysia({ prefix: '/users', tags: ['Second factor'] }).post(
    '/:userId/mfa-reset',
    async ({ request, params }) => {
      const scope = await scopeOf(identity, request)
      if (scope.caller?.kind === 'user' && scope.caller.subject === params.userId) {
        throw fail('CONFLICT', { message: 'Your own second factor is removed with a code of it' })
      }
      await store.commit(async (tx) => {
        const user = await managedUser(tx, scope, params.userId)
        await removeSecondFactor(tx, user.id)
        await endSessionsOf(tx, user.id, 'user changed', now())
      })
      return done('The second factor is removed')
    },
    {
      params: ByUserId,
      response: { 200: response(Done) },
      detail: operation('removeSecondFactorOfUser', 'Remove the second factor of a user that has lost it', {
        description: 'Ends its sessions. For the user’s administrators.',
        ...idempotencyKeys('none'),
        404: 'There is no such user for the caller',
        409: 'It is the caller itself',
      }),
    },
  )
}
