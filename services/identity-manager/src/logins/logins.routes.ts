import { t } from '@bursar/contracts/schema'
import { idempotencyKeys, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { IdentityManagerDeps } from '../deps'
import { Done, done, withSecret } from '../done'
import { fail } from '../errors'
import { getChallenge } from '../second-factor/challenges'
import { assertionOptions, passkeySubject } from '../second-factor/passkeys'
import { PasskeyOptions } from '../second-factor/passkeys.model'
import { logout, refresh } from '../sessions/refresh'
import { originOf } from './caller-address'
import { loggingIn, loginByCode } from './login'
import { Login, LoginChallenge, LoginCode, MfaRequired, RefreshToken, Tokens } from './logins.model'
import { challengeData, tokenData } from './token-data'

/** Spec 3, Authentication. Answers with tokens are never stored: no idempotency keys. */
export const loginRoutes = (deps: IdentityManagerDeps) => new Elysia().use(entryRoutes(deps)).use(tokenRoutes(deps))

function entryRoutes(deps: IdentityManagerDeps) {
  const { store, identity, now } = deps
  return new Elysia({ prefix: '/auth', tags: ['Authentication'] })
    .post(
      '/login',
      async ({ request, server, set, body }) => {
        const origin = await originOf(identity, { request, server })
        const loggedIn = await store.commit(await loggingIn(deps, body, origin))
        if ('challenge' in loggedIn) return { data: challengeData(loggedIn) }
        set.headers['x-device-token'] = deps.knownDevices.issue(loggedIn.user.id, now())
        return { data: await tokenData(deps, loggedIn) }
      },
      {
        body: Login,
        response: { 200: response(t.Union([Tokens, MfaRequired])) },
        detail: operation('logIn', 'Log in', {
          description:
            'The response header `x-device-token` identifies the device: send it as `deviceToken` with the next log-in. ' +
            'A user with a second factor gets a challenge instead of tokens, for POST /auth/mfa.',
          ...withSecret,
          401: 'The address or the password is wrong, or the user cannot log in',
          429: 'Five attempts have failed within five minutes from this address, for this account or for several',
          503: 'Too many passwords are being checked right now',
        }),
      },
    )
    .post(
      '/mfa',
      async ({ request, server, set, body }) => {
        const loggedIn = await loginByCode(deps, body, await originOf(identity, { request, server }))
        set.headers['x-device-token'] = deps.knownDevices.issue(loggedIn.user.id, now())
        return { data: await tokenData(deps, loggedIn) }
      },
      {
        body: LoginCode,
        response: { 200: response(Tokens) },
        detail: operation('logInByCode', 'Log in with the second factor', {
          description: 'Takes a code, a recovery code, or a passkey’s signature, each once.',
          ...withSecret,
          401: 'The code is wrong or was used, or the log-in took more than five minutes',
          429: 'Five codes were wrong within five minutes',
        }),
      },
    )
    .post(
      '/mfa/options',
      async ({ body: { challenge } }) => {
        const { hash, userId } = await getChallenge(deps.store.read, challenge, now())
        const options = await assertionOptions(deps, userId, passkeySubject.login(hash))
        return { data: { ...options } }
      },
      {
        body: LoginChallenge,
        response: { 200: response(PasskeyOptions) },
        detail: operation('getLoginPasskeyOptions', 'Get the challenge for a passkey’s signature at log-in', {
          description: 'For `navigator.credentials.get`; POST /auth/mfa takes its answer as `passkey`, once.',
          ...withSecret,
          401: 'The log-in took more than five minutes',
          409: 'The user has no passkey',
        }),
      },
    )
}

function tokenRoutes(deps: IdentityManagerDeps) {
  const { store, now } = deps
  return new Elysia({ prefix: '/auth', tags: ['Authentication'] })
    .post(
      '/refresh',
      async ({ body }) => {
        const refreshed = await store.commit((tx) => refresh(tx, deps, body.refreshToken, now()))
        if (!refreshed) throw fail('UNAUTHORIZED', { message: 'The refresh token is not valid: log in' })
        return { data: await tokenData(deps, refreshed) }
      },
      {
        body: RefreshToken,
        response: { 200: response(Tokens) },
        detail: operation('refreshTokens', 'Get the next tokens of a session', {
          description:
            'A refresh token can be used once. A repeat within ten seconds gets the same successor, in case the answer was lost. Any later use ends the session.',
          ...withSecret,
          401: 'The token is not valid, was used before, or its session has ended',
        }),
      },
    )
    .post(
      '/logout',
      async ({ body }) => {
        await store.commit((tx) => logout(tx, body.refreshToken, now()))
        return done('Logged out')
      },
      {
        body: RefreshToken,
        response: { 200: response(Done) },
        detail: operation('logOut', 'End the session of a refresh token', {
          description:
            'Answers the same for an invalid token. The session’s access tokens are refused within five seconds.',
          ...idempotencyKeys('none'),
        }),
      },
    )
}
