import { errorResponses, idempotencyKeys, needsSecret, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { IdentityManagerDeps } from '../deps'
import { Done, done } from '../done'
import { fail } from '../errors'
import { accessTokenSeconds } from '../keys/token-life'
import { logout } from '../sessions/logout'
import { type LoggedIn, refresh } from '../sessions/refresh'
import { callerAddress, userAgentOf } from './caller-address'
import { login } from './login'
import { Login, RefreshToken, Tokens } from './logins.model'

const notKept = idempotencyKeys('none')

/** Spec 3, Authentication. Answers with tokens are kept for nobody: no idempotency keys. */
export function loginRoutes(deps: IdentityManagerDeps) {
  const { store, identity, now, signAccessToken } = deps
  return new Elysia({ prefix: '/auth', tags: ['Authentication'] })
    .post(
      '/login',
      async ({ request, server, set, body }) => {
        const address = callerAddress({ request, server }, await identity.read(request))
        const loggedIn = await login(deps, body, { address, userAgent: userAgentOf(request) })
        set.headers['x-device-token'] = deps.knownDevices.issue(loggedIn.user.id, now())
        return await toTokens(loggedIn)
      },
      {
        body: Login,
        response: { 200: response(Tokens) },
        detail: {
          operationId: 'logIn',
          summary: 'Log in',
          description:
            'The answer’s header `x-device-token` makes the device known: send it as `deviceToken` with the next log-in.',
          ...notKept,
          ...needsSecret,
          responses: errorResponses({
            401: 'The address or the password is wrong, or the user cannot log in',
            429: 'Five attempts have failed within five minutes from this address, for this account or for several',
            503: 'Too many passwords are being checked right now',
          }),
        },
      },
    )
    .post(
      '/refresh',
      async ({ body }) => {
        const refreshed = await store.commit((tx) => refresh(tx, deps, body.refreshToken, now()))
        if (!refreshed) throw fail('UNAUTHORIZED', { message: 'The refresh token is not valid: log in' })
        return await toTokens(refreshed)
      },
      {
        body: RefreshToken,
        response: { 200: response(Tokens) },
        detail: {
          operationId: 'refreshTokens',
          summary: 'Get the next tokens of a session',
          description:
            'A refresh token is good for one use; the same again within ten seconds gets the same successor, for its answer may have been lost. Any later use of it ends the session.',
          ...notKept,
          ...needsSecret,
          responses: errorResponses({ 401: 'The token is not valid, was used before, or its session has ended' }),
        },
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
        detail: {
          operationId: 'logOut',
          summary: 'End the session of a refresh token',
          description:
            'Answers alike for a token that is not valid. Its access tokens are refused within five seconds.',
          ...notKept,
        },
      },
    )

  async function toTokens({ user, sessionId, refreshToken }: LoggedIn): Promise<Tokens> {
    const accessToken = await signAccessToken(user, sessionId, now())
    const { id, email, name, roles } = user
    return { data: { accessToken, refreshToken, expiresIn: accessTokenSeconds, user: { id, email, name, roles } } }
  }
}
