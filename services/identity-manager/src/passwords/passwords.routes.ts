import { idempotent, needsSecret, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { IdentityManagerDeps } from '../deps'
import { Done, done, withSecret } from '../done'
import { callerAddress } from '../logins/caller-address'
import { createPasswordToken, resetMinutes } from '../password-tokens/password-tokens'
import { requireUser } from '../users/scope'
import { getUser, toUser } from '../users/users'
import { User } from '../users/users.model'
import { requestReset } from './forgotten'
import {
  ByChangeToken,
  ByResetToken,
  ChangeToken,
  Forgotten,
  PasswordChange,
  PasswordReset,
  Registration,
} from './passwords.model'
import { settingPassword } from './set-password'

const refusals = { 400: 'The token is not valid, or the password is one that may not be' }
const busy = { 503: 'Too many passwords are being checked right now' }

/** Spec 3, Endpoints, Identity manager: passwords are set by tokens, each usable once. */
export function passwordRoutes(deps: IdentityManagerDeps) {
  const { store, identity, now } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/auth', tags: ['Authentication'] })
    .post(
      '/change-password/:changePasswordToken',
      async ({ params: { changePasswordToken: token }, body }) => {
        await store.commit(await settingPassword(deps, ['invitation', 'change'], { token, ...body }))
        return done('Password set')
      },
      {
        params: ByChangeToken,
        body: PasswordChange,
        response: { 200: response(Done) },
        detail: operation(
          'changePassword',
          'Set the password with the token of an invitation, or of a logged-in user',
          {
            description: 'Makes an invited user ACTIVE. All sessions of the user end.',
            ...withSecret,
            ...refusals,
            401: 'The current password is wrong',
            429: 'The current password was wrong five times within five minutes',
            ...busy,
          },
        ),
      },
    )
    .post(
      '/forgot-password',
      ({ request, server, set, body }) =>
        once({ request, set }, async (reply) => {
          const address = callerAddress({ request, server }, await identity.read(request))
          return await store.commit(async (tx) => {
            await requestReset(tx, body.email, address, now())
            return await reply(tx, 200, done('If a user has this address, a mail is on its way'))
          })
        }),
      {
        body: Forgotten,
        response: { 200: response(Done) },
        detail: operation('requestPasswordReset', 'Request a mail for setting a new password', {
          description: 'Answers the same for any address. The token of the mail is valid for ten minutes.',
          429: 'Five requests within five minutes, for this address or from this caller',
        }),
      },
    )
    .post(
      '/reset-password/:resetPasswordToken',
      async ({ params: { resetPasswordToken: token }, body: { password } }) => {
        await store.commit(await settingPassword(deps, ['reset'], { token, password }))
        return done('Password set')
      },
      {
        params: ByResetToken,
        body: PasswordReset,
        response: { 200: response(Done) },
        detail: operation('resetPassword', 'Set a new password with the token of a mail', {
          description: 'All sessions of the user end.',
          ...withSecret,
          ...refusals,
          ...busy,
        }),
      },
    )
}

/** Registration, and tokens for changing the password. */
export function registrationRoutes(deps: IdentityManagerDeps) {
  const { store, identity, now, seal } = deps
  const once = idempotent(deps, { seal })
  return new Elysia({ prefix: '/users', tags: ['Users'] })
    .post(
      '/register',
      async ({ body: { invitationToken: token, password, ...registration }, set }) => {
        const row = await store.commit(await settingPassword(deps, ['invitation'], { token, password, registration }))
        set.status = 201
        return toUser(row)
      },
      {
        body: Registration,
        response: { 201: response(User) },
        detail: operation('registerUser', 'Register as an invited user', {
          description:
            'Requires the token mailed to the address: registration alone gives no access. The user becomes ACTIVE.',
          ...withSecret,
          ...refusals,
          ...busy,
        }),
      },
    )
    .post(
      '/change-password-token',
      ({ request, set }) =>
        once({ request, set }, async (reply) => {
          const { subject } = await requireUser(identity, request)
          const lifeMs = resetMinutes * 60_000
          const at = now()
          return await store.commit(async (tx) => {
            const { id } = await getUser(tx, subject)
            const changePasswordToken = await createPasswordToken(tx, { userId: id, kind: 'change', lifeMs }, at)
            const expiresAt = new Date(at.getTime() + lifeMs).toISOString()
            return await reply(tx, 201, { changePasswordToken, expiresAt })
          })
        }),
      {
        response: { 201: response(ChangeToken) },
        detail: operation('createChangePasswordToken', 'Get a token for changing the own password', {
          description: 'The token is valid for ten minutes, together with the current password.',
          ...needsSecret,
          401: 'The request has no user',
          404: 'The user was deleted',
        }),
      },
    )
}
